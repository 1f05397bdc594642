# SPDX-License-Identifier: GPL-2.0-or-later
# The kinds of pictures of runs, and what they have in common.
package Realfeel::Draw::Plot;
use Realfeel::Base::Modern;

use List::Util qw(max sum);
use Realfeel::Base::Units qw(counted printable refusal);
use Realfeel::Draw::Gnuplot qw(draw draw_stills format_of look_of);
use Realfeel::Draw::Runs qw(limit_name notes title);
use Realfeel::Model::Cpus qw(cpu_name pooled runs_of);
use Realfeel::Model::Explain qw(is_blamed);
use Realfeel::Model::Names qw(names);
use Realfeel::Model::Report qw(measure_name);

use constant {
    RUNS_MAX => 12,
    LINES    => 12,             # of more, each would hide the others
    FEW      => 8,              # lines are drawn then, one for each colour
    ONE_IN   => 1000,           # by p99.9 the worst are found
    UNBOUND  => ": has no CPU that the run was bound to; give a report of 'realfeel --cpu'",
};

# A function named after the kind computes what it draws: in Draw::Cells if it is of_one run (never in a terminal),
# else in Draw::Curves. Optional: how many runs fit; another function and template, which draw shares; a data set of
# latencies that it needs; and what it draws for several CPUs, by default all together: lines, one for each CPU, or if
# too many, one for all CPUs and those with the highest p99.9; or rows, one for all CPUs, then one for each. The title
# says what is shown of the measure.
use constant KINDS => {
    histogram   => { title => '%s: histogram' },
    overlay     => { title => '%s: histograms of shares', cpus => 'lines', template => 'histogram', shares => 1 },
    percentiles => { title => '%s: percentiles' },
    exceedance  => { title => '%s: share above', cpus => 'lines' },
    matrix      => { title => '%s: histograms', runs_max => 36 },
    cpus        => { title => '%s of each CPU', of_one => 1, cpus => 'rows' },
    slices      => { title => '%s over time', of_one => 1, needs => 'slices' },
    parts       => { title => '%s by its parts', of_one => 1, needs => 'parts' },
    timeline    => { title => '%s: what had the CPU', of_one => 1, needs => 'records' },
};

# What such a data set shows, and which reports have it
use constant MISSING => {
    slices  => ['has no slices', 'report that realfeel wrote'],
    parts   => ['holds no parts of latenesses', 'report of a run with --explain'],
    records => ['does not record what had the CPU before the worst wake-ups', 'report of a run with --explain=blame'],
};

sub kinds { return sort keys %{ KINDS() } }
# Whether it can show a measure other than latency
sub takes_measure ($kind) { return !KINDS->{$kind}{needs} }

# Drawn by default: one for each run if there are too many for one drawing
sub usual_kind {
    my $runs = runs_of(@_);
    return $runs > RUNS_MAX ? 'matrix' : $runs > 1 ? 'exceedance' : 'histogram';
}

# Draws the reports to $output, or returns text if that is undef. $measure is lateness, wakeup, interval, or undef for
# the first that all have. Dies with one line.
sub plot ($kind, $templates, $output, $measure, @reports) {
    my $format = format_of($output);
    my $is_text = $format eq 'dumb' && $kind eq 'matrix';
    die "$kind can only be drawn to a file; add -o $kind.png\n" if $format eq 'dumb' && KINDS->{$kind}{of_one};
    my @wish = ($kind, look_of($is_text ? 'text' : $format), $measure, runs_of(@reports));
    if ($is_text) {
        my ($runs, $remark, @judged) = _chosen(@wish);
        my ($note) = notes($runs->{look}, undef, $remark, @judged);
        require Realfeel::Draw::Curves;
        return Realfeel::Draw::Curves::sketches($runs, _title($kind, $runs), $note);
    }
    my ($template, $drawing) = _drawing(@wish);
    return draw($templates, $template, $format, $output, $drawing);
}

# SVG texts without scripts for a page. A wish is [kind, measure as for plot, runs, names (by default Model::Names),
# what to draw for several CPUs (by default the kind's own), "wide" if as wide as the page]. Returns for each [text or
# undef, reason, whether gnuplot is to blame].
sub inline_svgs ($templates, @wishes) {
    my (@drawings, @svgs);
    for (@wishes) {
        my ($kind, $measure, $runs, $names, $cpus, $format) = @$_;
        my %look = (%{ look_of($format // 'page') }, names => $names, draws => $cpus);
        push @drawings, eval { [_drawing($kind, \%look, $measure, @$runs), $format] } // [undef, refusal($@)];
    }
    my @drawn = grep { defined $_->[0] } @drawings;
    my $reason = eval { @svgs = draw_stills($templates, @drawn) if @drawn; 1 } ? undef : refusal($@);
    return map { defined $_->[0] ? [shift @svgs, $reason, defined $reason] : $_ } @drawings;
}

# The template's name and the drawing, with the limits on the time axis, if there is one. A kind's function makes a
# plan: a drawing as in Draw::Gnuplot, but with unit of its time_axis, by default x, for limits, and optionally a remark
# and a finding that casts doubt on the drawing.
sub _drawing ($kind, $look, $measure, @runs) {
    my ($runs, $remark, @judged) = _chosen($kind, $look, $measure, @runs);
    my $module = KINDS->{$kind}{of_one} ? 'Cells' : 'Curves';
    require "Realfeel/Draw/$module.pm";
    my ($template, $shares) = @{ KINDS->{$kind} }{qw(template shares)};
    my $plan = "Realfeel::Draw::$module"->can($template // $kind)->($runs, $shares // ());
    my %texts = (title_text => _title($kind, $runs));
    @texts{qw(note remark)} = notes($look, $plan->{finding}, $plan->{remark} // $remark, @judged);
    my ($low, $high) = @{ $plan->{ $plan->{time_axis} // 'x' } };
    my $us = $plan->{unit} ? $plan->{unit}{us} : undef;
    my @limits = grep { $_ / $us > $low && $_ / $us <= $high } defined $us ? $runs->limits : ();
    return ($template // $kind, {
        %$plan, keys => $plan->{keys} // [$runs->keys($plan->{unit})], texts => { %texts, %{ $plan->{texts} } },
        limits => [map { [limit_name($_, $look->{symbol}{us}), $_ / $us] } @limits],
    });
}

sub _title ($kind, $runs) {
    my $what = sprintf KINDS->{$kind}{title}, ucfirst measure_name($runs->{measure});
    return title($runs->{look}->{width}, $what, @{ $runs->{reports} });
}

# The Draw::Runs; what is not drawn, as a remark; and the reports whose verdicts to show
sub _chosen ($kind, $look, $measure, @runs) {
    my %special = %{ KINDS->{$kind} };
    my $fit = $special{of_one} ? 1 : $special{runs_max} // RUNS_MAX;
    my $kinds = (grep { @{ $_->{reports} } > 1 } @runs) ? 'runs' : 'reports';
    die @runs . " $kinds are too many for one picture of this kind; choose "
        . ($fit == 1 ? 'one' : "at most $fit") . "\n" if @runs > $fit;
    $measure = undef if $special{needs};
    my $cpus = $look->{draws} // $special{cpus} // 'together';
    my @pools = map { pooled($_) } @runs;
    my @names = $look->{names} ? @{ $look->{names} } : names(@pools);
    my $most = $cpus eq 'lines' ? _share(@runs) : undef;
    my @drawn = map {
        my ($name, @reports) = ($names[$_], @{ $runs[$_]{reports} });
        my $all = [$pools[$_], $name, scalar @reports];
        my @own = $cpus eq 'rows' ? _by_cpu(@reports) : $cpus eq 'together' || @reports == 1 ? ()
            : @reports > $most ? _worst($measure, $most - 1, @reports) : @reports;
        my $before = $cpus eq 'lines' && @runs > 1 ? "$name, " : '';
        (@own < @reports || $cpus eq 'rows' ? $all : (), map { [$_, $before . cpu_name($_), 1] } @own);
    } 0 .. $#runs;
    my @judged = $cpus eq 'together' ? @pools : map { @{ $_->{reports} } } @runs;
    my @reports = map { $_->[0] } @drawn;
    _refuse_without($special{needs}, @reports) if $special{needs};
    my %look = (%$look, names => [map { $_->[1] } @drawn], cpus => [map { $_->[2] } @drawn]);
    return (Realfeel::Draw::Runs->new(\%look, $measure, @reports),
        $cpus eq 'together' ? '' : _not_drawn(\@judged, @reports), @judged);
}

sub _refuse_without ($needed, @reports) {
    my $has = $needed eq 'records' ? \&is_blamed : sub { $_[0]->has($needed) };
    my ($without) = grep { !$_->latency || !$has->($_) } @reports or return;
    my ($what, $where) = @{ MISSING->{$needed} };
    die printable($without->{file} . ": $what; give a $where") . "\n";
}

# How many lines each run on several CPUs may have, at least one
sub _share {
    my @lines = map { scalar @{ $_->{reports} } } @_;
    return LINES if sum(@lines) <= LINES;
    my $several = grep { $_ > 1 } @lines;
    return max(1, int((FEW - @lines + $several) / max(1, $several)));
}

sub _by_cpu (@reports) {
    my ($unbound) = grep { !defined $_->{cpu} } @reports;
    die printable($unbound->{file} . UNBOUND) . "\n" if $unbound;
    return sort { $a->{cpu} <=> $b->{cpu} } @reports;
}

# In the order of the file
sub _worst ($measure, $number, @reports) {
    my (undef, undef, @values) = Realfeel::Draw::Runs::measured($measure, @reports);
    my @highest = map { $_->n ? $_->quantile(ONE_IN) : -1 } @values;
    my @order = sort { $highest[$b] <=> $highest[$a] || $a <=> $b } 0 .. $#reports;
    return @reports[sort { $a <=> $b } @order[0 .. $number - 1]];
}

sub _not_drawn ($judged, @drawn) {
    my %is_drawn = map { $_ => 1 } @drawn;
    my @parts = grep { @{ $_->{part} } } @$judged;
    my @others = grep { !$is_drawn{$_} } @parts or return '';
    my $invalid = grep { ($_->{verdict} // '') eq 'invalid' } @others;
    my $more = $invalid ? "; $invalid INVALID" : '';
    return "no CPU is drawn by itself$more" if @others == @parts;
    return 'not drawn: ' . @others . ' of ' . counted(scalar @parts, 'CPU') . " (lower p99.9$more)";
}

1;
