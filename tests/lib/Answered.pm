# SPDX-License-Identifier: GPL-2.0-or-later
package Answered;
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use File::Temp ();
use Realfeel::Answer::Why qw(interruptions wakeups);
use Realfeel::Model::Report;
use Realfeel::Show::Why qw(sentence);

use Exporter 'import';
our @EXPORT = qw(answered culprits interrupted);

=head1 NAME

Answered - what the analyzer answers to a report of the program

=head2 answered($text)

Why the worst wake-ups of a report, or of each of its parts, were late: the hashes of L<Realfeel::Answer::Why>, each with
its C<sentence>.

=head2 culprits($text)

What had the CPU in these, the longest first.

=head2 interrupted($text)

What interrupted the thread of the report, which never slept.

=cut

sub reports {
    my ($text) = @_;
    my $file = File::Temp->new;
    print {$file} $text;
    close $file;
    return Realfeel::Model::Report->read_all("$file");
}

sub late { return map { wakeups($_) } reports(@_) }

sub answered { return map { { %$_, sentence => sentence($_) } } late($_[0]) }
sub culprits { return Realfeel::Answer::Why::culprits(late($_[0])) }
sub interrupted { return interruptions(reports($_[0])) }

1;
