# SPDX-License-Identifier: GPL-2.0-or-later
# What is wrong with the program itself is not said in a sentence, as if a file were to blame: Perl says where it happened.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use Analyzer;
use MadeReport;
use Realfeel::Base::Units qw(decimal refusal);
use RunCommand;

my $lib = "$FindBin::Bin/../../analyze/lib";
chdir tempdir(CLEANUP => 1) or die $!;
my @slices = map { [map { 20 + $_ / 100 } 1 .. 300] } 1 .. 6;
made("$_.hist", \@slices) for qw(a b x-01-base x-01-change);
made_cpus("$_.hist", { 0 => \@slices, 1 => \@slices }) for qw(c d);

# The program, in which a function is broken once its module is loaded.
sub broken {
    my ($program, $module, $function, @arguments) = @_;
    my $break = "no warnings; *{'${module}::$function'} = sub { my \$x; \$x->none }; exit main::main(\@ARGV)";
    return run($^X, "-I$lib", '-e', "require(\$0 = '$program'); require $module; $break", '--', @arguments);
}

my %broken = (
    'Realfeel::Model::Report read_all'             => [$analyze, 'a.hist'],
    'Realfeel::Answer::Compare compare'            => [$analyze, 'compare', 'c.hist', 'd.hist'],
    'Realfeel::Answer::Compare _side'              => [$analyze, 'report', 'a.hist', 'b.hist'],
    'Realfeel::Draw::Plot _drawing'                => [$analyze, 'report', 'a.hist'],
    'Realfeel::Draw::Plot draw_stills'             => [$analyze, 'report', 'a.hist'],
    'Realfeel::Draw::Series pairs_svgs'            => [$analyze, 'report', 'x-01-base.hist', 'x-01-change.hist'],
    'Realfeel::Model::Sum contents'                => [$analyze, 'c.hist'],
    'Realfeel::Try::Experiment _measured'          =>
        [$try, '--change=touch changed', '--undo=rm changed', '--settle=0s', '--', 'realfeel'],
);
for (sort keys %broken) {
    my ($program, @arguments) = @{ $broken{$_} };
    my ($status, $out, $err) = broken($program, split(/ /), @arguments);
    isnt($status, 0, "$_: exit status");
    is($out, '', 'nothing is printed as a result');
    like($err, qr/^Can't call method "none" on an undefined value at -e line 1\.$/m, 'the place of a bug is reported');
}
ok(!-e 'changed', 'an experiment undoes its change before');

is(refusal("x.hist: is no report; name one\n"), "x.hist: is no report; name one\n", 'a refusal is returned');
for (sub { die 'a' }, sub { decimal(1) }, sub { my %a = (); use strict; @{"x"} },
    sub { open my $in, '<', $0; <$in>; die 'b' }, sub { die {} }) {
    eval { $_->() };
    my $error = $@;
    eval { refusal($error) };
    is($@, $error, ref $error ? 'what is no text is not' : $error =~ s/\n//r);
}

is(eval { decimal(1) }, undef, 'an argument is missing');
like($@, qr{^Too few arguments for subroutine 'Realfeel::Base::Units::decimal' .* at \S+ line \d+\.$},
    'the place of a call that lacks an argument is reported');

chdir '/';
done_testing;
