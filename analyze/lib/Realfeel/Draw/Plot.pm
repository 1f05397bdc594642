# SPDX-License-Identifier: GPL-2.0-or-later
# The kinds of pictures, and what they have in common.
package Realfeel::Draw::Plot;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(inline_svgs kinds plot takes_measure usual_kind);

use Realfeel::Base::Units qw(printable refusal);
use Realfeel::Draw::Axis qw(drawing);
use Realfeel::Draw::Choice qw(choice);
use Realfeel::Draw::Gnuplot qw(draw draw_stills format_of look_of);
use Realfeel::Draw::Runs;
use Realfeel::Draw::Words qw(notes title words);
use Realfeel::Model::Cpus qw(runs_of);
use Realfeel::Model::Explain qw(is_blamed);

use constant RUNS_MAX => 12;

# For each kind the module and the function, by default plan, that compute what its template draws, and what is special:
# it shows latency alone; how many runs fit; a data set it needs; what a terminal gets instead, text or nothing; another
# template; or what it draws of several CPUs, see Draw::Choice, by default all together
use constant KINDS => {
    histogram   => { module => 'Histogram', function => 'counts' },
    overlay     => { module => 'Histogram', function => 'shares', cpus => 'lines', template => 'histogram' },
    percentiles => { module => 'Curves', function => 'percentiles' },
    exceedance  => { module => 'Curves', function => 'exceedance', cpus => 'lines' },
    cpus        => { module => 'Cpus', cpus => 'rows', runs_max => 1, terminal => 'nothing' },
    matrix      => { module => 'Matrix', runs_max => 36, terminal => 'text' },
    slices      => {
        module => 'Slices', is_latency => 1, runs_max => 1, needs => 'slices', terminal => 'nothing',
    },
    parts       => {
        module => 'Composition', is_latency => 1, runs_max => 1, needs => 'parts', terminal => 'nothing',
    },
    timeline    => {
        module => 'Timeline', is_latency => 1, runs_max => 1, needs => 'records', terminal => 'nothing',
    },
};

# What such a data set tells, and what reports have it
use constant MISSING => {
    slices  => ['has no slices', 'report that realfeel wrote'],
    parts   => ['holds no parts of latenesses', 'report of a run with --explain'],
    records => ['does not tell who had the CPU before the worst wake-ups', 'report of a run with --explain=blame'],
};

sub kinds         { return sort keys %{ KINDS() } }
# Whether it can show another measure than latency
sub takes_measure ($kind) { return !KINDS->{$kind}{is_latency} }

# Drawn by default: one for each run if there are too many for one drawing
sub usual_kind {
    my $runs = runs_of(@_);
    return $runs > RUNS_MAX ? 'matrix' : $runs > 1 ? 'exceedance' : 'histogram';
}

# Draws the reports to $output, or returns text if that is undef. $measure is lateness, wakeup, interval, or undef for
# the first that all have. Dies with one line.
sub plot ($kind, $templates, $output, $measure, @reports) {
    my $format = format_of($output);
    my $instead = $format eq 'dumb' ? KINDS->{$kind}{terminal} // '' : '';
    die "$kind can only be drawn to a file; add -o $kind.png\n" if $instead eq 'nothing';
    my @wish = ($measure, runs_of(@reports));
    return _text($kind, look_of('text'), @wish) if $instead eq 'text';
    my ($template, $drawing) = _drawing($kind, look_of($format), @wish);
    return draw($templates, $template, $format, $output, $drawing);
}

# SVG texts without scripts for a page. A wish is [kind, measure as for plot, runs, names (by default Model::Names),
# what to draw of several CPUs (by default the kind's own), "wide" if as wide as the page]. Returns for each [text or
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

# The template's name and the drawing. A kind's function makes a plan: data; x and y, see Draw::Axis; unit of the
# time_axis, by default x; label of the other axis, or labels of both if neither is the measure; and optionally texts
# and numbers for its template, keys, room along the axes, tics of an axis, a remark, and a finding that casts doubt on
# the drawing.
sub _drawing ($kind, $look, $measure, @runs) {
    my %special = %{ KINDS->{$kind} };
    my ($choice, $runs) = _chosen($kind, $look, $measure, @runs);
    require "Realfeel/Draw/$special{module}.pm";
    my $plan = "Realfeel::Draw::$special{module}"->can($special{function} // 'plan')->($runs);
    my ($x_text, $y_text) = _labels($runs, $plan);
    my ($note, $remark) = notes($look, $plan->{finding}, $plan->{remark} // $choice->{remark},
        @{ $choice->{judged} });
    return ($special{template} // $kind, drawing($runs->look, {
        %$plan,
        keys  => $plan->{keys} // [$runs->keys($plan->{unit})],
        texts => {
            title_text => title($look->{width}, @{ $choice->{reports} }), x_text => $x_text, y_text => $y_text,
            note => $note, remark => $remark, %{ $plan->{texts} // {} },
        },
        limits => [$runs->limits],
    }));
}

sub _text {
    my ($choice, $runs) = _chosen(@_);
    my ($note) = notes($runs->look, undef, $choice->{remark}, @{ $choice->{judged} });
    require Realfeel::Draw::Sketches;
    return Realfeel::Draw::Sketches::text($runs, title($runs->look->{width}, $runs->reports), $note);
}

# What Draw::Choice selects, and its Draw::Runs
sub _chosen ($kind, $look, $measure, @runs) {
    my %special = %{ KINDS->{$kind} };
    _refuse_number($special{runs_max} // RUNS_MAX, @runs);
    $measure = undef if $special{is_latency};
    my $choice = choice($look->{draws} // $special{cpus} // 'together', $measure, $look->{names}, @runs);
    _refuse_without($special{needs}, @{ $choice->{reports} }) if $special{needs};
    return ($choice,
        Realfeel::Draw::Runs->new({ %$look, %$choice{qw(names cpus)} }, $measure, @{ $choice->{reports} }));
}

sub _refuse_number ($most, @runs) {
    my $name = $most == 1 ? 'name one' : "name at most $most";
    my $reports = (grep { @{ $_->{reports} } > 1 } @runs) ? 'runs' : 'reports';
    die @runs . " $reports are too many for one picture of this kind; $name\n" if @runs > $most;
}

sub _refuse_without ($needed, @reports) {
    my $has = $needed eq 'records' ? \&is_blamed : sub { $_[0]->has($needed) };
    my ($without) = grep { !$_->latency || !$has->($_) } @reports or return;
    my ($what, $where) = @{ MISSING->{$needed} };
    die printable($without->file . ": $what; name a $where") . "\n";
}

sub _labels ($runs, $plan) {
    return @{ $plan->{labels} } if $plan->{labels};
    my $time = words('axis.unit', label => $runs->label, unit => $plan->{unit}{symbol});
    return ($plan->{time_axis} // 'x') eq 'y' ? ($plan->{label}, $time) : ($time, $plan->{label});
}

1;
