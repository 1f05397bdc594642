# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the files of the command line, and prints results and errors. A file is a report of ours or, if it begins like
# another program's, what import would make of it.
package Realfeel::Files;
use Realfeel::Base::Modern;

use File::Basename qw(basename dirname);
use List::Util qw(first);
use Realfeel::Base::Units qw(counted few printable printable_lines refusal);
use Realfeel::Model::Report qw(chosen);

use constant { COLOUR => qr/\e\[[\d;]*m/, COPIES => 4 };

# The number of unreadable files, then all reports of the others
sub reports (@files) {
    my $read = sub ($file) { [Realfeel::Model::Report->read_all($file, undef, \&_foreign)] };
    my @read = map { attempt($read, $_) } @files;
    my @reports = map { @$_ } grep { defined } @read;
    return (scalar(grep { !defined } @read), @reports);
}

# None unless all files can be read
sub all_reports (@files) {
    my ($unread, @reports) = reports(@files);
    return $unread ? () : @reports;
}

# Calls $take with the reports of each run, so that memory holds one run at a time, skipping copies as found by the
# method $copy of Model::Copies. Names the first copies on standard error. Returns the files that cannot be read.
sub each_once ($copy, $take, @files) {
    require Realfeel::Model::Copies;
    my ($copies, @named) = Realfeel::Model::Copies->new;
    my $take_once = sub {
        my $original = $copies->$copy(@_) // return $take->(@_);
        push @named, $_[0]{run_name} . ": is the same run as $original; it counts once";
    };
    my $read = sub ($file) { Realfeel::Model::Report->read_all($file, $take_once, \&_foreign); return 1 };
    my @unread = grep { !attempt($read, $_) } @files;
    my $more = @named - (my @first = few(COPIES, @named));
    complain(printable($_) . "\n") for @first, $more ? "$more more runs are such copies; each counts once" : ();
    return @unread;
}

# The reports of the only run in $file; dies with one line if there is not exactly one
sub one_run ($file) {
    my @runs;
    Realfeel::Model::Report->read_all($file, sub { push @runs, [@_] }, \&_foreign);
    return @{ $runs[0] } if @runs == 1;
    die printable("$file: holds " . @runs . " runs, but one is needed; choose it, as in $runs[0][0]{run_name}") . "\n";
}

# That run as one report of all its CPUs
sub block ($file) {
    require Realfeel::Model::Cpus;
    return Realfeel::Model::Cpus::pooled({ reports => [one_run($file)] });
}

# By the names of its files, see realfeel-try
sub experiment ($at, @files) {
    require Realfeel::Answer::Trial;
    return Realfeel::Answer::Trial::answered($at, Realfeel::Model::Names::rounds_of(map { block($_) } @files));
}

# What import makes of the next run of a file that begins like another program's; nothing for others
sub _foreign ($lines, $is_wanted) {
    require Realfeel::Input::Import;
    my ($file, $is_first) = ($lines->{file}, $lines->{number} == 1);
    my $format = Realfeel::Input::Import::recognised($lines) // return;
    my @reports = Realfeel::Input::Import::imported($lines, { format => $format, is_passed => !$is_wanted });
    for (@reports > 1 ? 0 .. $#reports : ()) { $reports[$_]{header}{part} = 1 + $_ . ' of ' . @reports }
    complain(printable("$file: is read as 'realfeel-analyze import --format=$format' reads it") . "\n") if $is_first;
    return @reports;
}

# What $function of Input::Import makes of each run of a file of another program, or of the one that is called FILE#2
sub foreign_runs ($function, $path, $option) {
    my ($file, $wanted) = chosen($path);
    my ($lines, @runs) = Realfeel::Input::Lines->open($file);
    do { push @runs, [$function->($lines, { %$option, is_passed => $wanted && $wanted != @runs + 1 })] }
        while defined $lines->line;
    return @runs unless $wanted;
    return $runs[$wanted - 1]
        // $lines->fail(0, 'has only ' . counted(scalar @runs, 'run') . "; choose one, as in $file#1");
}

# The function's result; undef after printing its refusal, or what Debian's perl-base lacks. Dies on any other error.
sub attempt ($function, @arguments) {
    my $result = eval { $function->(@arguments) };
    return $result if defined $result;
    my ($module) = $@ =~ m{\ACan't locate (\S+)\.pm in \@INC};
    complain(!defined $module ? refusal($@)
        : "Perl's own module " . ($module =~ s{/}{::}gr) . " is missing; install the package perl\n");
    return undef;
}

# Prints each line on standard error, made printable
sub complain ($text) {
    print STDERR basename($0), ': ', printable_lines($text);
}

# Prints the text, made printable except for colours; returns the exit status 0
sub output ($text) {
    my $safe = join '', map { $_ =~ COLOUR ? $_ : printable_lines($_) } split /(${\COLOUR})/, $text;
    print $safe and STDOUT->flush or die "standard output cannot be written: $!; free some space, or redirect it\n";
    return 0;
}

# With --json, one document of what $function of Show::Json makes of each thing, else the text of each
sub rendered ($option, $function, $text, @things) {
    return $text->(@things) unless $option->{json};
    require Realfeel::Show::Json;
    return Realfeel::Show::Json::document(map { Realfeel::Show::Json->can($function)->($_) } @things);
}

# The folder of gnuplot templates, in the source or installed
sub templates {
    my $library = dirname(dirname(__FILE__));
    return first { -e "$_/style.gp" } "$library/../../plots", "$library/../plots";
}

1;
