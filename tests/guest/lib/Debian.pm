# SPDX-License-Identifier: GPL-2.0-or-later
package Debian;

use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Glob ':bsd_glob';
use File::Path qw(make_path remove_tree);
use File::Temp;

our @EXPORT_OK = qw(cached download find_program need stands_for unpacked);

=head1 NAME

Debian - packages of Debian for any architecture, downloaded and unpacked, but not installed

=cut

# A network that does not answer, or too slowly, does not keep us for ever.
my @PATIENCE = qw(timeout 900);
my @NETWORK  = map { ('-o', $_) } qw(Acquire::Retries=1 Acquire::http::Timeout=30 APT::Sandbox::User=root);

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

=head2 unpacked($architecture, @packages)

A directory in the cache with the files of the packages and of all that they depend on.

=cut

sub unpacked {
    my ($architecture, @packages) = @_;
    return cached(join('-', $architecture, @packages), sub {
        my ($directory) = @_;
        my $scratch = File::Temp->newdir;
        for my $file (download($architecture, $scratch, dependencies($architecture, @packages))) {
            system(qw(dpkg-deb -x), $file, $directory) == 0 or die 'cannot unpack ' . basename($file) . "\n";
        }
    });
}

# The packages and all that they depend on.
sub dependencies {
    my ($architecture, @packages) = @_;
    my @only = map { "--no-$_" } qw(recommends suggests conflicts breaks replaces enhances);
    my @names = apt_cache($architecture, qw(depends --recurse), @only, @packages) =~ /^(\w\S*)$/mg;
    return @names ? @names : unknown($architecture, @packages);
}

=head2 stands_for($architecture, $metapackage)

The package that a metapackage depends on, by its name.

=cut

sub stands_for {
    my ($architecture, $metapackage) = @_;
    my ($name) = apt_cache($architecture, qw(depends --important), $metapackage) =~ /Depends: (\S+)/;
    return $name // unknown($architecture, $metapackage);
}

sub unknown {
    my ($architecture, @packages) = @_;
    die "apt does not know @packages for $architecture: apt-get update, on Debian for amd64\n";
}

sub apt_cache {
    my ($architecture, @arguments) = @_;
    open my $pipe, '-|', 'env', 'LC_ALL=C', 'apt-cache', options($architecture), @arguments
        or die "cannot run apt-cache: $!\n";
    local $/;
    return <$pipe> // '';
}

=head2 download($architecture, $directory, @packages)

Downloads packages into the directory, and returns their files. apt checks each against the signed index.

=cut

sub download {
    my ($architecture, $directory, @packages) = @_;
    system(@PATIENCE, qw(env -C), $directory, 'apt-get', options($architecture), @NETWORK, qw(-qq download), @packages) == 0
        or die "cannot download @packages: is the network there, the disk not full, and apt-get update recent?\n";
    return glob "$directory/*.deb";
}

# For the host's own architecture apt is asked as it is. For another it has an index of its own, in the cache, so that
# the host stays as it is.
sub options {
    my ($architecture) = @_;
    need($_, 'the guests are made of packages of Debian, so run this there') for qw(apt-cache apt-get dpkg dpkg-deb);
    chomp(my $own = `dpkg --print-architecture`);
    return $architecture eq $own ? () : foreign($architecture, index_of($architecture));
}

sub foreign {
    my ($architecture, $directory) = @_;
    return map { ('-o', $_) } (
        "APT::Architecture=$architecture", 'Acquire::Languages=none', "Dir::State=$directory", "Dir::Cache=$directory",
        "Dir::State::status=$directory/status", 'Dir::Cache::pkgcache=', 'Dir::Cache::srcpkgcache=',
    );
}

# An index is made anew a day later, for the mirror keeps no package that was replaced.
sub index_of {
    my ($architecture) = @_;
    my $today = int(time / 86_400);
    return cached("index-$architecture-$today", sub {
        my ($directory) = @_;
        remove_tree(glob dirname($directory) . "/../index-$architecture-*");
        make_path(map { "$directory/$_" } qw(lists/partial archives/partial));
        open my $status, '>', "$directory/status" or die "cannot write $directory/status: $!\n";
        system(@PATIENCE, 'apt-get', foreign($architecture, $directory), @NETWORK, qw(-qq update)) == 0
            or die "cannot update the index of $architecture: is the network there, and the disk not full?\n";
    });
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
