# SPDX-License-Identifier: GPL-2.0-or-later
# Where a link leads the report: nothing is written or replaced but what was named.
use strict;
use warnings;
use Fcntl qw(O_NONBLOCK O_RDONLY);
use FindBin;
use lib "$FindBin::Bin/../lib";
use IO::Socket::UNIX;
use POSIX qw(lchown mkfifo);
use RunCommand;
use Sim;
use Test::More;

my $NOBODY = 65534;
my $WHOLE  = 'complete 50, valid';

# One test: a run with these options ends so, with its report at that place.
sub goes_to {
    my ($name, $at, $options, $of, @outcome) = @_;
    ends_so($name, simulate([qw(-s nanosleep -f 100 -n 50), @$options], at => $at, %$of), @outcome);
}

# All that leads to standard output is standard output, also a file, which is not to be replaced by another. By links of our
# own, for a program that is wrong would replace those of the machine.
my %LINK = ('dev/stdout' => '/proc/self/fd/1', 'dev/fd' => '/proc/self/fd', 'link' => 'dev/stdout');
my $make = sub { mkdir 'dev'; symlink $LINK{$_}, $_ for keys %LINK };
for my $name (qw(dev/stdout dev/fd/1 link /proc/self/fd/1)) {
    goes_to("$name is standard output @$_", '-', [@$_, '-o', $name], { prepare => $make }, 'exit 0', $WHOLE) for [], ['--force'];
}
goes_to('a closed standard output is refused', 'none', [qw(-o link)], { prepare => $make, shell => 'exec "$@" >&-' },
    'exit 1', '--output=link: standard output is closed; name a file');

# What -o leaves as it is, whether it may replace files or not.
my $NOWHERE = 'is a link that leads nowhere; name a file';
my $FOLDER  = 'is a directory; name a file in it';
for (
    ['a link to a file', sub { file_of('other', "other\n"); symlink 'other', 'x' }, 'is a link; name the file that it leads to'],
    ['a link to nothing',        sub { symlink 'nothing', 'x' },      $NOWHERE],
    ['a link into no directory', sub { symlink 'no/thing', 'x' },     $NOWHERE],
    ['a link to itself',         sub { symlink 'x', 'x' },            'leads through too many links; name a file'],
    ['a directory',              sub { mkdir 'x' },                   $FOLDER],
    ['a link to a directory',    sub { mkdir 'y'; symlink 'y', 'x' }, $FOLDER],
    ['a socket', sub { IO::Socket::UNIX->new(Local => 'x', Listen => 1) }, 'is a socket, which cannot be opened; name a file'],
) {
    my ($what, $make, $reason) = @$_;
    goes_to("$what is refused @$_", 'none', [@$_, qw(-o x)], { prepare => $make }, 'exit 1', "--output=x: $reason") for [], ['--force'];
}
goes_to('a name that ends in a slash is refused', 'none', [qw(-o x/)], { prepare => sub { mkdir 'x' } }, 'exit 1', "--output=x/: $FOLDER");
goes_to('a pipe that may not be written to is refused', 'none', [qw(-o x)], { prepare => sub { mkfifo('x', 0600) },
    script => ['keeper:faccessat:1+ EACCES'] },
    'exit 1', '--output=x: you have no permission to write to it; name another file, or get the permission');
goes_to('links to a pipe are followed', '-', [qw(--force -o link)], { under => ['cat=0'],
    prepare => sub { mkfifo('pipe', 0600); mkdir 'far'; symlink '../pipe', 'far/near'; symlink 'far/near', 'link' } }, 'exit 0', $WHOLE);

# A report replaces its checkpoints, and the file of --force: where that can never be, it is said before the run.
SKIP: {
    skip 'only root may set attributes: run as root', 1 if $>;
    file_of('file', "other\n");
    skip 'this file system has no attributes', 1 if (run(qw(chattr +a file)))[0];
    run(qw(chattr -a file));
    my $FIXED = 'append-only or immutable';
    for my $attribute ('a', 'i') {
        for (['folder/x', "its folder is $FIXED (lsattr -d)"], ['file', "is $FIXED (lsattr)"]) {
            my ($name, $why) = @$_;
            my $make = sub { mkdir 'folder'; file_of('file', "other\n"); run('chattr', "+$attribute", qw(folder file)) };
            goes_to("chattr +$attribute: $name is refused", 'none', ['-F', '-o', $name], { prepare => $make },
                'exit 1', "--output=$name: $why; name another file");
            run(qw(chattr -ai folder file));
        }
    }
}

sub planted {
    my ($target, $name) = @_;
    symlink $target, $name or die $!;
    lchown($NOBODY, $NOBODY, $name) or die $!;
}

SKIP: {
    skip 'only root can make what is another user\'s: run as root', 1 if $>;

    # Of another user there is a link to a device, or to a link, a pipe or a file: in a folder of mode 1777 or 1775 he may have
    # planted it there, in another one not.
    my %KIND = (
        'link to a device' => sub { planted('/dev/null', 'x') },
        'link to a link'   => sub { planted('/dev/null', 'y'); symlink 'y', 'x' },
        'pipe'             => sub { mkfifo('pipe', 0600); chmod 0666, 'pipe'; chown $NOBODY, $NOBODY, 'pipe'; symlink 'pipe', 'x' },
        'file'             => sub { file_of('x', "other\n"); chown $NOBODY, $NOBODY, 'x' },
    );
    my %WHERE = ('link to a device' => 'none', 'link to a link' => 'none', pipe => '-', file => 'x');
    for my $kind (sort keys %KIND) {
        my $made = sub { my ($mode) = @_; return (prepare => sub { chmod oct $mode, '.'; $KIND{$kind}->() }) };
        my $place = $kind eq 'file' ? 'another file' : 'a place of your own';
        goes_to("another user's $kind in a folder of mode $_ is refused", 'none', [qw(-F -o x)], { $made->($_) },
            'exit 1', "--output=x: belongs to another user, in a folder that others may write to; name $place") for qw(1777 1775);
        goes_to("another user's $kind in a folder of mode $_ is taken", $WHERE{$kind}, [qw(-F -o x)], { $made->($_),
            under => [$kind eq 'pipe' ? 'cat=0' : ()] }, 'exit 0', $kind =~ /link/ ? () : $WHOLE) for qw(0777 2775 0755);
    }
    goes_to('a link of our own in a folder for all is followed', 'none', [qw(-o x)],
        { prepare => sub { chmod 01777, '.'; symlink '/dev/null', 'x' } }, 'exit 0');

    # The link alone leads to the pipe. It comes before one of the calls that look at a file, or give it a name.
    my @run = qw(-s nanosleep -f 100 -n 1 -F -o x);
    my $log = simulate(\@run, script => ['set trace keeper'])->{log};
    my @calls = $log =~ /keeper calls (\d+) (?:open|fstatat64|\w*link\w*|rename\w*)$/mg;
    my ($got, $reader) = (0);
    for my $call (@calls) {
        simulate(\@run, script => ["keeper:any:$call rename link x"], prepare => sub {
            chmod 01777, '.';
            mkfifo('pipe', 0600);
            sysopen $reader, 'pipe', O_RDONLY | O_NONBLOCK or die $!;
            planted('pipe', 'link');
        });
        $got += sysread $reader, my $bytes, 1 << 20;
    }
    cmp_ok(scalar @calls, '>', 10, 'the keeper looks at its files');
    is($got, 0, 'a link that is planted between two looks is not followed');
}

done_testing;
