# SPDX-License-Identifier: GPL-2.0-or-later
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

# Of each kind the module and the function, plan unless it is named, that compute what its template draws, and what is
# special to it: that it shows the latency alone, how many runs fit, a data set that it needs, what a terminal has
# instead, text or nothing, a template of another name, or what it draws of several CPUs, see Realfeel::Draw::Choice, if
# not all of them together.
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

# What such a data set tells, and what report has it.
use constant MISSING => {
    slices  => ['has no slices', 'report that realfeel wrote'],
    parts   => ['holds no parts of latenesses', 'report of a run with --explain'],
    records => ['does not tell who had the CPU before the worst wake-ups', 'report of a run with --explain=blame'],
};

=head1 NAME

Realfeel::Draw::Plot - the kinds of pictures, and what they have in common

=head1 FUNCTIONS

=head2 kinds

The names of all kinds, sorted.

=head2 takes_measure($kind)

Whether such a picture can show another measure than the latency.

=head2 usual_kind(@reports)

That which is drawn where none is named: of more runs than one drawing holds, one for each.

=cut

sub kinds         { return sort keys %{ KINDS() } }
sub takes_measure ($kind) { return !KINDS->{$kind}{is_latency} }

sub usual_kind {
    my $runs = runs_of(@_);
    return $runs > RUNS_MAX ? 'matrix' : $runs > 1 ? 'exceedance' : 'histogram';
}

=head2 plot($kind, $template_directory, $output, $measure, @reports)

Draws the reports to the picture C<$output>, or returns the drawing as text when it is undef. C<$measure> is
C<lateness>, C<wakeup>, C<interval> or undef: the first of these that all reports have. Dies with one line of reason.

=cut

sub plot ($kind, $templates, $output, $measure, @reports) {
    my $format = format_of($output);
    my $instead = $format eq 'dumb' ? KINDS->{$kind}{terminal} // '' : '';
    die "$kind can only be drawn to a file; add -o $kind.png\n" if $instead eq 'nothing';
    my @wish = ($measure, runs_of(@reports));
    return _text($kind, look_of('text'), @wish) if $instead eq 'text';
    my ($template, $drawing) = _drawing($kind, look_of($format), @wish);
    return draw($templates, $template, $format, $output, $drawing);
}

=head2 inline_svgs($template_directory, @wishes)

Pictures as the texts of SVGs without scripts, to be put into a page. Each wish is an array: the kind; the measure, as
C<plot> takes it; a reference to the runs, see L<Realfeel::Model::Cpus>; one to their names, which are those of
L<Realfeel::Model::Names> when it is left out; what is drawn of several CPUs, see L<Realfeel::Draw::Choice>, if not
what the kind itself draws; and C<wide> for one as wide as the page. A kind that shows the latency alone does so.
Returns a list of arrays: the text, or undef, the line of reason, and whether gnuplot is to blame.

=cut

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

# Returns the name of the template and the drawing. What a kind's function hands over for the runs is a hash: the data;
# x and y, the axes, see Realfeel::Draw::Axis; the unit of the time_axis, which is x unless it is named; label, what the
# other axis says, or labels, what both say where none is of the measure; and where the kind has its own: the further
# texts and numbers that its template names, the keys, the room along the axes, the tics of an axis, the remark, and the
# finding, which casts doubt on what is drawn.
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

# What is drawn, as Realfeel::Draw::Choice has it, and its Realfeel::Draw::Runs.
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
