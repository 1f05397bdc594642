# SPDX-License-Identifier: GPL-2.0-or-later
package Debian;

use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Glob ':bsd_glob';
use File::Path qw(make_path remove_tree);
use File::Temp;

our @EXPORT_OK = qw(cached dependencies download find_program need unpacked);

=head1 NAME

Debian - packages of Debian for any architecture, downloaded and unpacked, but not installed

All packages are those of an origin: an architecture (C<amd64>), then they are of the release that apt has here; or behind
the name of another release and a slash (C<trixie/amd64>).

=cut

# A network that does not answer, or too slowly, does not keep us for ever.
my $MIRROR   = 'http://deb.debian.org/debian';
my @PATIENCE = qw(timeout 900);
my @NETWORK  = map { ('-o', $_) } qw(Acquire::Retries=5 Acquire::http::Timeout=30 APT::Sandbox::User=root);

=head2 cached($name, $make)

A directory that is kept from one call to the next. Where there is none of that name, $make is called with the path of
one that is empty, to fill it. A name always stands for a whole directory: one that was not finished never gets it.

=cut

sub cached {
    my ($name, $make) = @_;
    my $cache = ($ENV{XDG_CACHE_HOME} || "$ENV{HOME}/.cache") . '/realfeel';
    my $directory = "$cache/$name";
    return $directory if -e $directory;
    make_path($cache, {error => \my $error});
    -d $cache or die "cannot make $cache: $!\n";
    my $scratch = File::Temp->newdir(DIR => $cache);
    mkdir "$scratch/new" or die "cannot make $scratch/new: $!\n";
    $make->("$scratch/new");
    # Another process may have been faster.
    rename "$scratch/new", $directory or -e $directory or die "cannot rename to $directory: $!\n";
    return $directory;
}

=head2 unpacked($origin, @packages)

A directory in the cache with the files of the packages and of all that they depend on.

=cut

sub unpacked {
    my ($origin, @packages) = @_;
    return cached(join('-', plain($origin), @packages), sub {
        my ($directory) = @_;
        my $scratch = File::Temp->newdir;
        for my $file (download($origin, $scratch, all_of($origin, @packages))) {
            system(qw(dpkg-deb -x), $file, $directory) == 0 or die 'cannot unpack ' . basename($file) . "\n";
        }
    });
}

# The packages and all that they depend on.
sub all_of {
    my ($origin, @packages) = @_;
    my @only = map { "--no-$_" } qw(recommends suggests conflicts breaks replaces enhances);
    my @names = apt_cache($origin, qw(depends --recurse), @only, @packages) =~ /^(\w\S*)$/mg;
    return @names ? @names : unknown($origin, @packages);
}

=head2 dependencies($origin, $package)

The packages that a package depends on, by their names.

=cut

sub dependencies {
    my ($origin, $package) = @_;
    my @names = apt_cache($origin, qw(depends --important), $package) =~ /Depends: (\S+)/g;
    return @names ? @names : unknown($origin, $package);
}

sub unknown {
    my ($origin, @packages) = @_;
    die "apt does not know @packages for $origin: apt-get update, on Debian for amd64\n";
}

sub apt_cache {
    my ($origin, @arguments) = @_;
    open my $pipe, '-|', 'env', 'LC_ALL=C', 'apt-cache', options($origin), @arguments
        or die "cannot run apt-cache: $!\n";
    local $/;
    return <$pipe> // '';
}

=head2 download($origin, $directory, @packages)

Downloads packages into the directory, and returns their files. apt checks each against the signed index.

=cut

sub download {
    my ($origin, $directory, @packages) = @_;
    system(@PATIENCE, qw(env -C), $directory, 'apt-get', options($origin), @NETWORK, qw(-qq download), @packages) == 0
        or die "cannot download @packages: is the network there, the disk not full, and apt-get update recent?\n";
    return glob "$directory/*.deb";
}

# For the host's own release and architecture apt is asked as it is. For another it has an index of its own, in the cache,
# so that the host stays as it is.
sub options {
    my ($origin) = @_;
    need($_, 'the guests are made of packages of Debian, so run this there') for qw(apt-cache apt-get dpkg dpkg-deb);
    chomp(my $own = `dpkg --print-architecture`);
    return $origin eq $own ? () : foreign($origin, index_of($origin));
}

sub foreign {
    my ($origin, $directory) = @_;
    my ($architecture, $release) = reverse split m{/}, $origin;
    return map { ('-o', $_) } (
        "APT::Architecture=$architecture", 'Acquire::Languages=none', "Dir::State=$directory", "Dir::Cache=$directory",
        "Dir::State::status=$directory/status", 'Dir::Cache::pkgcache=', 'Dir::Cache::srcpkgcache=',
        $release ? ("Dir::Etc::sourcelist=$directory/sources.list", 'Dir::Etc::sourceparts=/dev/null') : (),
    );
}

sub plain {
    my ($origin) = @_;
    return $origin =~ tr{/}{-}r;
}

# An index is made anew a day later, for the mirror keeps no package that was replaced.
sub index_of {
    my ($origin) = @_;
    my $name = 'index-' . plain($origin);
    my $today = int(time / 86_400);
    return cached("$name-$today", sub {
        my ($directory) = @_;
        remove_tree(glob dirname($directory) . "/../$name-*");
        make_path(map { "$directory/$_" } qw(lists/partial archives/partial));
        put("$directory/status", '');
        put("$directory/sources.list", "deb $MIRROR " . dirname($origin) . " main\n");
        system(@PATIENCE, 'apt-get', foreign($origin, $directory), @NETWORK, qw(-qq update)) == 0
            or die "cannot update the index of $origin: is the network there, and the disk not full?\n";
    });
}

sub put {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "cannot write $path: $!\n";
    print {$file} $text;
    close $file or die "cannot write $path: $!\n";
}

=head2 need($program, $remedy)

The path of a program. Dies with one line where the machine does not have it.

=cut

sub need {
    my ($program, $remedy) = @_;
    return find_program($program) || die "$program not found: $remedy\n";
}

=head2 find_program($name)

The path of a program, one for administrators, too, or undef.

=cut

sub find_program {
    my ($name) = @_;
    my ($found) = grep { -x } map { "$_/$name" } split(/:/, $ENV{PATH}), qw(/usr/sbin /sbin);
    return $found;
}

1;
