# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Measure;
use strict;
use warnings;

use List::Util qw(any first);
use Realfeel::Units qw(printable);

use constant {
    BUCKET_US => 100,
    WORDS     => {
        lateness => ['lateness',                                         'period'],
        interval => ['interval error, early or late, without its sign', 'sample'],
        early    => ['interval error, early ones as 0',                  'sample'],
    },
};

=head1 NAME

Realfeel::Plot::Measure - which values of some reports a picture shows

=head1 METHODS

=head2 new($name, @reports)

C<$name> is C<lateness>, C<interval> or undef: lateness when all reports have it. Where a file of 2002 is among them, it
is the interval error in the buckets of such files, of all of them. Dies with one line where a report does not know it.

=cut

sub new {
    my ($class, $name, @reports) = @_;
    $name //= (any { !_knows($_, 'lateness') } @reports) ? 'interval' : 'lateness';
    if (defined(my $without = first { !_knows($_, $name) } @reports)) {
        my ($other) = grep { $_ ne $name } qw(lateness interval);
        die printable($without->file . ": knows no $name; use --measure=$other or leave it out") . "\n";
    }
    my $of_2002 = $name eq 'interval' && any { $_->format eq '2002' } @reports;
    my ($label, $counted) = @{ WORDS->{ $of_2002 ? 'early' : $name } };
    $counted = 'wake-up' if $name eq 'lateness' && !grep { !$_->header('lateness_of') } @reports;
    return bless { name => $name, of_2002 => $of_2002, label => $label, counted => $counted }, $class;
}

sub _knows {
    my ($report, $name) = @_;
    return $report->$name;
}

=head2 name

C<lateness> or C<interval>.

=head2 of_2002

Whether the values are in buckets of 0.1 ms.

=head2 label

What an axis says.

=head2 counted

What is counted: C<period>, C<sample> or C<wake-up>.

=cut

sub name    { return $_[0]{name} }
sub of_2002 { return $_[0]{of_2002} }
sub label   { return $_[0]{label} }
sub counted { return $_[0]{counted} }

=head2 values($report)

The L<Realfeel::Distribution> of a report, in microseconds.

=cut

sub values {
    my ($self, $report) = @_;
    return $report->interval->regroup(\&_bucket) if $self->{of_2002};
    return $self->{name} eq 'lateness' ? $report->lateness : $report->magnitude;
}

=head2 all(@reports)

Those of all reports. Dies with one line when there is no sample among them.

=cut

sub all {
    my ($self, @reports) = @_;
    my @values = map { $self->values($_) } @reports;
    return @values if any { $_->n } @values;
    die "there are no samples to draw; name a report that has some\n";
}

sub _bucket {
    my ($us) = @_;
    my $index = $us < 0 ? 0 : int($us / BUCKET_US);
    return ($index * BUCKET_US, ($index + 1) * BUCKET_US);
}

1;
