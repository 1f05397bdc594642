# SPDX-License-Identifier: GPL-2.0-or-later
# A file that appears only once it is complete.
package Realfeel::Base::File;
use Realfeel::Base::Modern;

use Errno qw(EEXIST);
use Fcntl qw(O_CREAT O_EXCL O_WRONLY);
use File::Temp ();
use Realfeel::Base::Units qw(printable);

# Writes $text, a string or a function that returns pieces and undef after the last, to $path, compressed if that ends
# in .gz. An existing regular file is replaced only with $force; devices and pipes are written to; a symbolic link is
# refused. Without a path, or with "-" or a link to standard output, the text goes there. Dies with one line of reason
# and remedy.
sub save ($text, $path, $force = undef) {
    return _print(\*STDOUT, $text, 'standard output') if !defined $path || $path eq '-' || _is_standard_output($path);
    if (-e $path && !-f _ && !-d _) {
        open my $out, '>', $path or die
            printable("$path: cannot be opened: $!; choose another name, or see to your right to write it") . "\n";
        return _print($out, $text, $path);
    }
    my $refusal = _refusal($path, $force);
    die printable("$path: $refusal") . "\n" if $refusal;
    my $temporary = eval { File::Temp->new(TEMPLATE => "$path.XXXXXX", UNLINK => 1) }
        or die printable("$path: cannot be created: $!; choose a folder that you may write to") . "\n";
    $path =~ /\.gz\z/ ? _compress($temporary, $text, $path) : _print($temporary, $text, $path);
    chmod 0666 & ~umask, $temporary->filename;
    _publish($temporary, $path, $force)
        or die printable("$path: " . ($! == EEXIST ? 'has appeared meanwhile' : $!) . '; choose another name') . "\n";
}

# True also for /dev/stdout while that is redirected to a file
sub _is_standard_output ($path) {
    my @there = -l $path ? stat $path : ();
    my @output = stat STDOUT;
    return @there && @output && "@there[0, 1]" eq "@output[0, 1]";
}

# Why no file may take this name; nothing if one may
sub _refusal ($path, $force) {
    return 'is a directory; name a file in it' if -d $path;
    return 'is a link; name the file that it leads to' if -l $path;
    return 'exists; choose another name, or overwrite it with --force' if -e $path && !$force;
    return;
}

# Without a time stamp, so that the same text makes the same file
sub _compress ($file, $text, $name) {
    require IO::Compress::Gzip;
    my $out = IO::Compress::Gzip->new($file, -Minimal => 1);
    _print($out, $text, $name);
    $out->close && $file->flush or _fail_print($name, $file);
}

sub _print ($out, $text, $name) {
    my $next = ref $text ? $text : sub { my $piece = $text; undef $text; return $piece };
    while (defined(my $piece = $next->())) {
        $out->print($piece) or _fail_print($name, $out);
    }
    $out->flush or _fail_print($name, $out);
}

# Closed here, because Perl warns if it has to close a file that cannot be written out
sub _fail_print ($name, $out) {
    my $line = printable("$name cannot be written: $!; free some space, or write elsewhere") . "\n";
    $out->close;
    die $line;
}

# Unlinks the temporary name itself: File::Temp would also take away other users' right to read the file.
sub _publish ($temporary, $path, $force) {
    my $name = $temporary->filename;
    $temporary->sync;
    my $published = $force && -f $path && !-l $path ? rename $name, $path : _give_new_name($name, $path);
    my $error = $!;
    unlink $name;
    $! = $error;
    return $published;
}

# Linking fails if the name exists; testing for it first would leave a race. If links are unsupported, reserve the name
# first.
sub _give_new_name ($name, $path) {
    return 1 if link $name, $path;
    return 0 if $! == EEXIST || !sysopen my $claim, $path, O_WRONLY | O_CREAT | O_EXCL;
    return 1 if rename $name, $path;
    my $error = $!;
    unlink $path;
    $! = $error;
    return 0;
}

1;
