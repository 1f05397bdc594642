# SPDX-License-Identifier: GPL-2.0-or-later
# The command line, parsed and checked. All functions die with the lines to print if it is wrong.
package Realfeel::Options;
use Realfeel::Base::Modern;

use Getopt::Long ();
use File::Basename qw(basename);
use List::Util qw(uniqstr);
use Realfeel::Answer::Stats qw(PERCENTILES is_percentile);
use Realfeel::Base::Units qw(nanoseconds);
use Realfeel::Model::Report qw(chosen);

our $VERSION = '0.3';

use constant GENERAL => qw(help|h version|V);
use constant NAMES => join ', ', map { "p$_->[0]" } PERCENTILES;

# For each option a check of its value, and the complaint
use constant VALUES => {
    measure  => [qr/\A(?:delay|lateness|wakeup|interval)\z/,
        "there is no measure '%s'; use delay, lateness, wakeup or interval"],
    period   => [\&nanoseconds, '--period=%s is not a time; give a number and a unit, as in 488281ns'],
    duration => [\&nanoseconds, "'%s' is not a time like 250us, 90s, 12h, 7d; correct it"],
    series   => [sub { require Realfeel::Answer::Trend; Realfeel::Answer::Trend::chosen($_[0]) },
        "'%s' names none of ${\NAMES}, max, missed, or a measure; correct it"],
    (map { $_ => [qr/\A(?:ns|us|ms|s)\z/, "there is no unit '%s'; use ns, us, ms or s"] } qw(unit time-unit)),
    decimals => [qr/\A[0-3]\z/, "'%s' is not a number of decimals; give one from 0 to 3"],
    least    => [qr/\A\d{1,4}(?:\.\d{1,3})?%?\z/, "'%s' is not the size of a step; give percent, as in 5%%"],
    thread   => [qr/\A\d{1,6}\z/, '--thread=%s is not a number; give the number of one thread or CPU'],
    at       => [sub { $_[0] =~ /\A(?:max|missed)\z/ || is_percentile("p$_[0]") },
        "'%s' is not a percentile of the list; use one like 99.9"],
    blocks   => [qr/\A[1-9]\d{0,17}\z/, "'%s' is not a whole number of 1 or more; correct it"],
    seed     => [qr/\A\d{1,9}\z/, "--seed=%s is not a whole number below 1000000000; correct it"],
    for      => [\&nanoseconds, '--for=%s is not a time like 12m; correct it'],
    settle   => [sub { defined nanoseconds($_[0]) }, '--settle=%s is not a time like 5s; correct it'],
    max      => [sub { $_[0] !~ /\@(?![5-9]\d)/ && require Realfeel::Answer::Judgement
        && Realfeel::Answer::Judgement::limit_of($_[0]) },
        "'%s' is not TIME or TIME\@PERCENT, 50 or more; use one like 100us or 100us\@99.999"],
    'fail-above' => [
        sub { $_[0] =~ /\A(?=[\d.]*[1-9])\d{1,9}(?:\.\d{1,9})?\@(.*)\z/s && is_percentile("p$1") },
        "'%s' is not RATIO\@PERCENTILE; use one like 1.1\@99.9"],
};

use constant EXCLUSIVE => [qw(classic json)], [qw(verbose classic)], [qw(verbose json)], [qw(csv json)],
    [qw(blocks for)], [qw(json digest)], [qw(json plot)], [qw(digest plot)];

# PERL_UNICODE would have Perl encode our bytes a second time.
sub restart_in_bytes ($program, @arguments) {
    delete $ENV{PERL_UNICODE};
    exec $^X, $program, @arguments or die "$^X cannot be started: $!; install Perl again\n";
}

# Removes options from @$arguments and returns them as a hash. @known are in the form of Getopt::Long; help and version
# are always known.
sub options ($arguments, @known) {
    my ($parser, %option) = (Getopt::Long::Parser->new(config => ['gnu_getopt', 'no_auto_abbrev']));
    my @complaints;
    local $SIG{__WARN__} = sub { push @complaints, @_ };
    $parser->getoptionsfromarray($arguments, \%option, @known, GENERAL);
    _refuse($complaints[0] =~ s/\s+\z//r, map { s/[|=].*//r } @known, GENERAL) if @complaints;
    return \%option if $option{help} || $option{version};
    for (EXCLUSIVE) {
        my ($one, $other) = @$_;
        usage_error("--$one and --$other cannot be combined; give one of them")
            if defined $option{$one} && defined $option{$other};
    }
    for my $name (grep { defined $option{$_} } sort keys %{ VALUES() }) {
        my ($value, $right, $complaint) = ($option{$name}, @{ VALUES->{$name} });
        next if ref $right eq 'CODE' ? $right->($value) : $value =~ $right;
        usage_error(sprintf $complaint, $value);
    }
    return \%option;
}

# What --help or --version prints
sub help ($option, $program, $command = undef) {
    return basename($0) . " $VERSION\n" unless $option->{help};
    require Realfeel::Show::Help;
    return Realfeel::Show::Help::text($program, $command);
}

# $complaint is Getopt::Long's
sub _refuse ($complaint, @names) {
    my ($name) = $complaint =~ /\AUnknown option: (.*)/s
        or usage_error(lcfirst "$complaint; leave it out or correct it");
    my $dashes = length $name > 1 ? '--' : '-';
    my @others = grep { grep { /^\Q$name\E(?:[|=]|$)/ } @{ our $commands->{$_} } } sort keys %{ our $commands };
    usage_error((@others ? "$dashes$name is an option of " . join ' and ', @others : "unknown option $dashes$name")
        . '; the options are ' . join ', ', sort map { "--$_" } @names);
}

# Dies if $word looks like a $what but is neither one nor an existing file
sub refuse_unknown_word ($what, $word, @known) {
    return if !defined $word || $word !~ /\A[A-Za-z][A-Za-z-]*\z/ || -e $word;
    usage_error("there is no $what '$word', nor a file of that name; the ${what}s are " . join ', ', sort @known);
}

# The output must not be one of the inputs; FILE#2 means FILE unless it exists
sub refuse_input_as_output ($output, @files) {
    my ($device, $inode) = stat $output or return;
    for my $file (map { (chosen($_))[0] } @files) {
        my @input = stat $file or next;
        die "$output is one of the files to read; choose another name for the output\n"
            if $input[0] == $device && $input[1] == $inode;
    }
}

# No text may replace a picture as --output, and no picture a text
sub refuse_picture ($option, @files) {
    my $output = $option->{output} // return;
    usage_error('-o is for the picture that --plot draws; redirect the text') unless $option->{plot};
    refuse_input_as_output($output, @files);
}

# Rows, columns and contents of the table, as Answer::Grid takes them
sub table_wish ($option) {
    require Realfeel::Answer::Grid;
    my @facts = @{ Realfeel::Answer::Grid::FACTS() };
    my %list = map { $_ => [uniqstr $option->{$_} eq '' ? '' : split /,/, $option->{$_}, -1] }
        grep { defined $option->{$_} } qw(rows columns show);
    my @named = map { @{ $_ // [] } } @list{qw(rows columns)};
    my ($unknown) = grep { my $fact = $_; !grep { $_ eq $fact } @facts } @named;
    usage_error("there is no fact '$unknown'; use one of " . join ', ', @facts) if defined $unknown;
    usage_error('rows and columns have a fact in common; name it once') if uniqstr(@named) < @named;
    my @statistics = @{ $list{show} // [qw(mean sd max)] };
    my ($none) = grep { !Realfeel::Answer::Grid::is_statistic($_) } @statistics;
    usage_error("there is no statistic '$none'; use one of count, missed, min, mean, sd, max, lmbench, "
        . NAMES) if defined $none;
    return { rows => $list{rows}, columns => $list{columns}, statistics => \@statistics };
}

# An undefined format is not named
sub refuse_unknown_format ($format, @formats) {
    usage_error("there is no format '$format'; use one of " . join ', ', @formats)
        if defined $format && !grep { $_ eq $format } @formats;
}

sub refuse_none () { usage_error('no file was given; give one or more reports') }

# The only file of a command that converts to or from one of @$formats
sub converted ($option, $formats, @files) {
    refuse_unknown_format($option->{format}, @$formats);
    return $files[0] if @files == 1;
    usage_error((@files ? 'more than one' : 'no') . ' file was given; give one');
}

# As Input::Import takes it
sub foreign_wish ($option) {
    my ($period, $duration) = @$option{qw(period duration)};
    my ($unit_ns, $time_unit_ns) = map { defined ? nanoseconds("1$_") : undef } @$option{qw(unit time-unit)};
    return {
        unit_ns    => $unit_ns,
        time_unit_ns => $time_unit_ns,
        period_ns  => defined $period ? nanoseconds($period) : undef,
        duration_s => defined $duration ? nanoseconds($duration) / 1e9 : undef,
        map { $_ => $option->{$_} } qw(format thread label column),
    };
}

# For output meant for files; "-o -" prints it nevertheless
sub refuse_terminal ($option) {
    die "the output is not meant for a terminal; name a file with -o, or redirect it\n"
        if -t STDOUT && !defined $option->{output};
}

sub usage_error ($text) { die "$text\nTry '" . basename($0) . " --help'.\n" }

1;
