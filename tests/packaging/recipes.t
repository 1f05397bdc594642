#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The recipes of other build systems fit the release: its sum, the commands that build it, and what each package gets of
# that. They are run by hand, with the variables that those systems set, each in a tree of its own.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Find qw(find);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use RunCommand qw(run contents file_of);
use Test::More;

plan skip_all => 'git is missing: apt-get install git' if system 'command -v git >/dev/null';

my $dir = tempdir(CLEANUP => 1);
my ($version) = (run('analyze/realfeel-analyze', '--version'))[1] =~ /(\d\S*)/;
my $name = "realfeel-$version";
$ENV{HOME} = $ENV{XDG_CONFIG_HOME} = $dir;
delete @ENV{grep { /^(?:GIT_|MAKE|CFLAGS|LDFLAGS|CPPFLAGS|CC$)/ } keys %ENV};
my @flags = ('CC=gcc', 'CFLAGS=-O0 -Wno-cpp', 'LDFLAGS=');

# Runs a shell command, which has to succeed, and returns what it prints.
sub shell {
    my ($title, $command, @words) = @_;
    my ($status, $out, $err) = run('/bin/sh', '-ec', $command, 'sh', @words);
    is($status, 0, $title) or diag $out, $err;
    return $out;
}

# The release, unpacked in a folder of its own, which it returns.
sub unpacked {
    my ($folder) = @_;
    make_path("$dir/$folder");
    shell('unpacked', 'tar -C "$1" -xf "$2"', "$dir/$folder", "$dir/source/$name.tar.gz");
    return "$dir/$folder/$name";
}

# The files below a folder, as paths that start there.
sub files {
    my ($folder) = @_;
    my @files;
    find(sub { push @files, $File::Find::name =~ s/^\Q$folder\E//r if -f }, $folder) if -d $folder;
    return sort @files;
}

# The program that is there measures.
sub measures {
    my ($program) = @_;
    my ($status, $report, $err) = run($program, qw(-q --best-effort -s nanosleep -n 100 -o -));
    is($status, 0, 'the packaged program runs') or diag $err;
    like($report, qr/^# samples: 100$/m, 'the packaged program measures');
}

subtest 'the release, and recipes for it' => sub {
    make_path("$dir/source");
    shell('sources', q{tar -c --exclude-vcs --exclude='./build*' . | tar -C "$1" -x && cp .gitignore "$1"}, "$dir/source");
    shell('a commit', 'cd "$1" && git init -q && git add . && git -c user.name=x -c user.email=x@y commit -qm x', "$dir/source");
    shell('packed', 'make -sC "$1" recipes', "$dir/source");
    my %sum = map { $_ => shell("its $_", "$_ <\"\$1\" | cut -d' ' -f1", "$dir/source/$name.tar.gz") =~ s/\n//r }
        qw(sha256sum sha512sum);
    my %recipe = ('alpine/APKBUILD' => 'sha512sum', 'buildroot/realfeel.hash' => 'sha256sum', 'openwrt/Makefile' => 'sha256sum',
        "yocto/realfeel_$version.bb" => 'sha256sum');
    for my $path (sort keys %recipe) {
        like(contents("$dir/source/build/recipes/$path"), qr/\b$sum{$recipe{$path}}\b/, "$path has the sum of the release");
    }
    is(shell('the licence of Buildroot', 'sed -n "/COPYING/ s/sha256//p" "$1"/buildroot/realfeel.hash | sha256sum --quiet -c',
        "$dir/source/build/recipes"), '', 'the licence of Buildroot is the one here');
    like(contents("$dir/source/build/recipes/yocto/realfeel_$version.bb"),
        qr/;md5=@{[shell('that of Yocto', 'md5sum <COPYING') =~ s{ .*}{}sr]}"/, 'the licence of Yocto is the one here');
};
my $recipes = "$dir/source/build/recipes";

subtest 'a package of Alpine' => sub {
    my $tree = unpacked('alpine');
    file_of("$dir/alpine/driver", <<'END');
. "$1/APKBUILD"
builddir=$2 pkgdir=$3/main
export CC=gcc CFLAGS='-O0 -Wno-cpp'
amove() { for file; do mkdir -p "$subpkgdir/${file%/*}"; mv "$pkgdir/$file" "$subpkgdir/$file"; done; }
cd "$builddir"
build
cd "$builddir"
package
subpkgdir=$3/analyze
analyze
END
    shell('built and split', '. "$4"', "$recipes/alpine", $tree, "$dir/alpine/packages", "$dir/alpine/driver");
    measures("$dir/alpine/packages/main/usr/bin/realfeel");
    is(join(' ', grep { /\.pm$|analyze|try|systemd/ && !/man1/ } files("$dir/alpine/packages/main")), '',
        'the package of the program has nothing else');
    is((run("$dir/alpine/packages/analyze/usr/bin/realfeel-$_", '--version'))[0], 0,
        "realfeel-$_ runs without the program") for qw(analyze try);
};

subtest 'a package of Buildroot' => sub {
    my $tree = unpacked('buildroot');
    file_of("$dir/buildroot/driver", <<"END");
include $recipes/buildroot/realfeel.mk
TARGET_MAKE_ENV = env -i PATH="\$(PATH)"
TARGET_CONFIGURE_OPTS = @{[map { s/=(.*)/="$1"/r } @flags]}
TARGET_DIR = $dir/buildroot/target
built: ; \$(REALFEEL_BUILD_CMDS)
installed: ; \$(REALFEEL_INSTALL_TARGET_CMDS)
built installed: \@D = $tree
END
    shell("make $_", 'make -f "$1" "$2"', "$dir/buildroot/driver", $_) for qw(built installed);
    measures("$dir/buildroot/target/usr/bin/realfeel");
    is(join(' ', files("$dir/buildroot/target")), '/usr/bin/realfeel '
        . '/usr/share/man/man5/realfeel.5 /usr/share/man/man7/realfeel-sources.7 /usr/share/man/man8/realfeel.8',
        'the program and its pages are installed alone');
};

subtest 'a package of OpenWrt' => sub {
    my $tree = unpacked('openwrt');
    file_of("$dir/openwrt/rules.mk", "INSTALL_DIR = install -d -m0755\nINSTALL_BIN = install -m0755\n");
    file_of("$dir/openwrt/package.mk", <<"END");
PKG_BUILD_DIR = $tree
Build/Compile/Default = env CFLAGS='-O0 -Wno-cpp' LDFLAGS= \$(MAKE) -C \$(PKG_BUILD_DIR) CC=gcc ARCH=x86_64 \$(1)
BuildPackage = \$(eval all: ; \$(call Build/Compile)\$(newline)\$(call Package/\$(1)/install,$dir/openwrt/root))
define newline


endef
END
    shell('built and installed', 'make -f "$1/openwrt/Makefile" TOPDIR="$2" INCLUDE_DIR="$2" all', $recipes, "$dir/openwrt");
    measures("$dir/openwrt/root/usr/bin/realfeel");
};

# The functions of a recipe, with each ${NAME} of BitBake replaced.
subtest 'a package of Yocto' => sub {
    my $tree = unpacked('yocto');
    my $recipe = contents("$recipes/yocto/realfeel_$version.bb");
    my %value = (D => "$dir/yocto/image", PN => 'realfeel', prefix => '/usr', bindir => '/usr/bin', datadir => '/usr/share',
        mandir => '/usr/share/man', libexecdir => '/usr/libexec', sysconfdir => '/etc',
        systemd_system_unitdir => '/usr/lib/systemd/system');
    my $expanded = $recipe =~ s/\$\{(\w+)\}/$value{$1} \/\/ "\${$1}"/ger;
    my $functions = join '', $expanded =~ /^(do_\w+\(\) \{\n.*?^\}\n)/msg;
    shell('built and installed', qq{$functions oe_runmake() { make "\$@"; }; cd "\$1"; CC=gcc CFLAGS='-O0 -Wno-cpp'; export CC CFLAGS
        do_compile; do_install}, $tree);
    my %package = (analyze => $expanded =~ /^FILES:realfeel-analyze = "(.*?)"/ms);
    my @analyzer = grep { my $file = $_; grep { $file =~ /^\Q$_\E(?:\/|$)/ } split /[\s\\]+/, $package{analyze} } files($value{D});
    my %of_analyzer = map { $_ => 1 } @analyzer;
    ok($of_analyzer{"/usr/$_"}, $_) for qw(bin/realfeel-analyze bin/realfeel-try
        share/realfeel/lib/Realfeel/Options.pm share/realfeel/schema.json);
    is(join(' ', grep { /\.(?:pm|gp)$/ && !$of_analyzer{$_} } files($value{D})), '', 'only the package of the analyzer has Perl');
    measures("$value{D}/usr/bin/realfeel");
    my $ptest = "$recipes/yocto/files/run-ptest";
    my @told = qw(measure samples analyze page);
    local $ENV{PATH} = "$value{D}/usr/bin:$ENV{PATH}";
    is(shell('its test', '"$1"', $ptest), join('', map { "PASS: $_\n" } @told), 'the test of Yocto passes');
    unlink "$value{D}/usr/bin/realfeel" or die $!;
    is((run($ptest))[1], join('', map { "FAIL: $_\n" } @told), 'the test of Yocto fails without the program');
};

done_testing();
