# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a gnuplot template, safely.
#
# A drawing is what a template draws: a hash of data, data sets of rows of numbers, references to texts, and undef; x
# and y, the axes: [end, end, kind], where the kind is log; power, logarithmic for counts; or none, for an axis that
# gnuplot or the template marks; keys, the lines of the key; limits, [name, place] each; and texts and numbers that the
# template names, arrays for several.
package Realfeel::Draw::Gnuplot;
use Realfeel::Base::Modern;

use File::Spec ();
use File::Temp ();
use POSIX qw(EFBIG SIGXFSZ);
use Realfeel::Base::File qw(save);
use Realfeel::Base::Units qw(printable printable_lines);

use constant {
    UNSEEN   => 1e30,
    COLUMNS  => 6,          # no data set has more
    PICTURE  => { symbol => { us => "\xc2\xb5s", ms => 'ms' }, room => 66, width => 68, letters => 62 },
    TERMINAL => { symbol => { us => 'us', ms => 'ms' }, room => 60, width => 60, is_terminal => 1 },
    # How a complete picture ends, as gnuplot does not report a full disk
    WHOLE    => { png => qr/IEND.{4}\z/s, svg => qr/<\/svg>\s*\z/, pdf => qr/%%EOF\s*\z/ },
};
use constant LOOKS => {
    dumb => TERMINAL, text => { %{ TERMINAL() }, width => 79 },
    page => { %{ PICTURE() }, room => 46, width => 46, letters => 44 },
    wide => { %{ PICTURE() }, room => 82, width => 90 },
};

# png, svg or pdf by the extension; dumb (text for a terminal) for undef. Dies with one line for any other.
sub format_of ($output) {
    return 'dumb' unless defined $output;
    my ($format) = lc($output) =~ /\.(png|svg|pdf)\z/
        or die printable("$output: no kind of picture is known by this name; end it in .png, .svg or .pdf") . "\n";
    return $format;
}

# How pictures of a format look; also "text" without axes, "page" and "wide": symbol of us and ms; room, characters
# beside a line of the key; width, above the drawing; letters, along the x axis; is_terminal
sub look_of ($format) { return LOOKS->{$format} // PICTURE }

# Draws with template $name. $output appears only when complete; without it the picture is returned. Dies with one line
# if gnuplot is missing or fails, or the picture cannot be written. SVGs ignore the mouse if gnuplot's script for it is
# not installed.
sub draw ($templates, $name, $format, $output, $drawing) {
    my $picture = _scratch();
    my $complaint = _run_all($output, [$templates, $name, $format, $picture, $drawing]);
    $complaint = _run_all($output, [$templates, $name, 'still', $picture, $drawing]) if $complaint =~ /javascript/;
    print STDERR $complaint;
    my $whole = _contents($picture);
    # Text without the form feed and empty lines around it, and blanks at the ends of lines
    $whole = $whole =~ s/[ \f]+$//mgr =~ s/^\n+|\n\K\n+\z//gr if $format eq 'dumb';
    return $whole unless defined $output;
    die printable("$output cannot be drawn to its end; free disk space") . "\n" unless $whole =~ WHOLE->{$format};
    save($whole, $output, 1);
    return;
}

# Several at once, as gnuplot starts slowly: SVG texts without a script. Each wish is [template, drawing, "wide" if as
# wide as the page].
sub draw_stills ($templates, @wishes) {
    my @pictures = map { _scratch() } @wishes;
    print STDERR _run_all(undef, map {
        my ($name, $drawing, $format) = @{ $wishes[$_] };
        [$templates, $name, $format // 'page', $pictures[$_], $drawing];
    } 0 .. $#wishes);
    return map { _contents($_) } @pictures;
}

# The script sets what a template names, loads it, and forgets all that
sub _run_all ($output, @runs) {
    my @data = map { _written(join "\n\n", map { _data_set(@$_) } @{ $_->[-1]{data} }) } @runs;
    my $script = _written(join '', map {
        my ($templates, $name, $format, $picture, $drawing) = @{ $runs[$_] };
        my %texts = (%{ $drawing->{texts} }, format => $format, style => "$templates/style.gp",
            picture => $picture->filename, data => $data[$_]->filename);
        my @limits = @{ $drawing->{limits} // [] };
        my %numbers = (%{ $drawing->{numbers} // {} }, limit_place => [map { $_->[1] } @limits]);
        @texts{qw(key limit_name)} = ($drawing->{keys}, [map { $_->[0] } @limits]);
        for (qw(x y)) { (@numbers{"${_}_low", "${_}_high"}, $texts{"${_}_kind"}) = (@{ $drawing->{$_} }, '') }
        join '', _set(\&_quoted, %texts), _set(\&_real, %numbers),
            'load ' . _quoted("$templates/$name.gp") . "\nreset session\n";
    } 0 .. $#runs);
    return _run($output, $script->filename);
}

# gnuplot complains about an empty data set, so it gets a row outside all axes
sub _data_set {
    my @rows = @_ ? @_ : [(UNSEEN) x COLUMNS];
    return join '', map {
        join(' ', map {
            ref ? '"' . $$_ =~ s/"/\\x22/gr =~ s/\\/\\\\/gr . '"' : defined ? sprintf '%.10g', $_ : 'NaN';
        } @$_) . "\n";
    } @rows;
}

# gnuplot has no empty array
sub _set ($written, %values) {
    return map {
        my ($name, $value) = ($_, $values{$_});
        my @all = map { $written->($_) } ref $value ? @$value : $value;
        my $array = @all ? "[${\scalar @all}] = [" . join(', ', @all) . ']' : '[1]';
        ref $value ? "array $name$array; ${name}s = " . @all . "\n" : "$name = @all\n";
    } sort keys %values;
}

# Integers would divide as integers
sub _real ($number) { return sprintf('%.10g', $number) =~ s/^-?\d+\K$/.0/r }

# Nothing in a text means anything to gnuplot
sub _quoted ($text) { return '"' . $text =~ s/([^A-Za-z .\/])/sprintf '\\%03o', ord $1/egr . '"' }

sub _written ($text) {
    my $file = _scratch();
    print {$file} $text and close $file or die "the data for gnuplot cannot be written: $!; free disk space\n";
    return $file;
}

sub _scratch {
    return eval { File::Temp->new } // die printable('no file can be created in ' . File::Spec->tmpdir
        . ": $!; set TMPDIR to a folder that you may write to") . "\n";
}

# Returns gnuplot's messages. gnuplot does not notice that a file has become too large, so the kernel may kill it.
sub _run ($output, @arguments) {
    my $said = _scratch();
    open my $stderr, '>&', \*STDERR or die "standard error cannot be saved: $!; close some files\n";
    open STDERR, '>&', $said or die "$said cannot be opened: $!; free disk space\n";
    my $status = do {
        local $SIG{XFSZ} = 'DEFAULT';
        delete local @ENV{ grep { /^GNU/ } keys %ENV };      # it dies of a GNUTERM that it does not know
        local $ENV{LC_ALL} = 'C.UTF-8';     # the templates are UTF-8, and gnuplot complains where the locale is not
        no warnings 'exec';
        system { 'gnuplot' } 'gnuplot', '--default-settings', @arguments;
    };
    my $error = $!;
    open STDERR, '>&', $stderr;
    die "gnuplot cannot be started: $error; install it (package gnuplot-nox or gnuplot)\n" if $status < 0;
    my $words = printable_lines(_contents($said));
    return $words unless $status;
    print STDERR $words;
    my $signal = $status & 127 or die "gnuplot failed; its own message is above\n";
    die "gnuplot was killed by signal $signal; see signal(7), and try again\n" if $signal != SIGXFSZ;
    $! = EFBIG;
    die printable(($output // 'the picture') . " cannot be written: $!; raise its limit (ulimit -f)") . "\n";
}

sub _contents ($file) {
    local $/;
    open my $in, '<', $file->filename or return '';
    return <$in> // '';
}

1;
