# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Files;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(all_reports attempt block complain each_once experiment is_experiment one_run output rendered
    reports templates);

use File::Basename qw(basename dirname);
use List::Util qw(first);
use Realfeel::Base::Units qw(few printable printable_lines refusal);
use Realfeel::Input::Lines;

use constant { COLOUR => qr/\e\[[\d;]*m/, COPIES => 4 };

=head1 NAME

Realfeel::Files - the files of the command line, read; what is printed of them, and what is wrong with them

=head1 DESCRIPTION

A file is one of ours or, if its first lines are those of another program, the report that C<import> makes of it.

=head1 FUNCTIONS

=head2 reports(@files)

How many files cannot be read, and the reports of the others: of each all that it holds.

=head2 all_reports(@files)

The reports: none unless all files can be read.

=head2 each_once($copy, $take, @files)

Calls the function with the reports of each run, so that no more need be in memory, but not of a run of which a copy was
there before, by the method C<$copy> of L<Realfeel::Model::Copies>. Copies are named on standard error; of many the
first, and how many more there are. A list of the files that cannot be read.

=head2 one_run($file)

The reports of the one run that is in a file. Dies with one line where there are several, or none.

=head2 block($file)

That run as one report, of all its CPUs together.

=head2 is_experiment(@files)

Whether files of such names are an experiment of realfeel-try.

=head2 experiment($at, @files)

That experiment, answered as by L<Realfeel::Answer::Trial>.

=cut

sub reports (@files) {
    my @read = map { my $file = $_; attempt(sub { [_read($file)] }) } @files;
    my @reports = map { @$_ } grep { defined } @read;
    return (scalar(grep { !defined } @read), @reports);
}

sub all_reports (@files) {
    my ($unread, @reports) = reports(@files);
    return $unread ? () : @reports;
}

sub each_once ($copy, $take, @files) {
    require Realfeel::Model::Copies;
    my ($copies, @named) = Realfeel::Model::Copies->new;
    my $take_once = sub {
        my $original = $copies->$copy(@_) // return $take->(@_);
        push @named, $_[0]->run_name . ": is the same run as $original; it counts once";
    };
    my @unread = grep { !attempt(sub { _read($_[0], $take_once); return 1 }, $_) } @files;
    my $more = @named - (my @first = few(COPIES, @named));
    complain(printable($_) . "\n") for @first, $more ? "$more more runs are such copies; each counts once" : ();
    return @unread;
}

sub one_run ($file) {
    my @runs;
    _read($file, sub { push @runs, [@_] });
    return @{ $runs[0] } if @runs == 1;
    die printable("$file: holds " . @runs . ' runs where one is due; name one, as in ' . $runs[0][0]->run_name) . "\n";
}

sub block ($file) {
    require Realfeel::Model::Cpus;
    return Realfeel::Model::Cpus::pooled({ reports => [one_run($file)] });
}

sub is_experiment (@files) {
    require Realfeel::Model::Rounds;
    return Realfeel::Model::Rounds::is_experiment(@files);
}

sub experiment ($at, @files) {
    require Realfeel::Answer::Trial;
    return Realfeel::Answer::Trial::answered($at, Realfeel::Model::Rounds::rounds_of(map { block($_) } @files));
}

sub _read ($name, $take = undef) {
    require Realfeel::Model::Report;
    return Realfeel::Model::Report->read_all($name, $take, \&_lines);
}

sub _lines ($file) {
    my $lines = Realfeel::Input::Lines->open($file);
    return $lines if $lines->line =~ Realfeel::Model::Report::BEGINS();
    require Realfeel::Input::Import;
    my $format = Realfeel::Input::Import::recognised($lines->head) // return $lines;
    my $text = _imported($lines);
    complain(printable("$file: is read as 'realfeel-analyze import --format=$format' reads it") . "\n");
    return Realfeel::Input::Lines->of_text($file, $text);
}

# What import would have written.
sub _imported ($lines) {
    require Realfeel::Output::Writer;
    my @reports = Realfeel::Input::Import::imported($lines, {});
    my ($next, $text) = (Realfeel::Output::Writer::run_pieces(@reports), '');
    while (defined(my $piece = $next->())) { $text .= $piece }
    return $text;
}

=head2 attempt($function, @arguments)

What the function returns, or undef and a complaint, if it refused. It dies of any other error.

=head2 complain($text)

Each line of it, whatever it quotes, on standard error.

=head2 output($text)

Prints the text, whatever it quotes, and returns 0, the exit status. Of what steers a terminal only colours pass.

=head2 rendered(\%option, $function, $text, @things)

With C<json>, one document, in which the function of L<Realfeel::Show::Json> puts each of the things; else their text.

=head2 templates()

The folder of the gnuplot templates: in the source, or installed.

=cut

sub attempt ($function, @arguments) {
    my $result = eval { $function->(@arguments) };
    complain(_is_lacking($@) // refusal($@)) unless defined $result;
    return $result;
}

# Debian's perl-base has no more than it needs.
sub _is_lacking ($error) {
    my ($module) = $error =~ m{\ACan't locate (\S+)\.pm in \@INC} or return undef;
    return "Perl's own module " . ($module =~ s{/}{::}gr) . " is missing; install the package perl\n";
}

sub complain ($text) {
    print STDERR basename($0), ': ', printable_lines($text);
}

sub output ($text) {
    my $safe = join '', map { $_ =~ COLOUR ? $_ : printable_lines($_) } split /(${\COLOUR})/, $text;
    print $safe and STDOUT->flush or die "standard output cannot be written: $!; free some space, or redirect it\n";
    return 0;
}

sub rendered ($option, $function, $text, @things) {
    return $text->(@things) unless $option->{json};
    require Realfeel::Show::Json;
    return Realfeel::Show::Json::document(map { Realfeel::Show::Json->can($function)->($_) } @things);
}

sub templates {
    my $library = dirname(dirname(__FILE__));
    return first { -e "$_/style.gp" } "$library/../../plots", "$library/../plots";
}

1;
