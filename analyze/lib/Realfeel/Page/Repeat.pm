# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Repeat;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(repeat);

use List::Util qw(uniq);
use Realfeel::Page::Html qw(element paragraph section text);

=head1 NAME

Realfeel::Page::Repeat - the command lines that make all of this again

=head1 FUNCTIONS

=head2 repeat(\@options, @runs)

The section. C<@options> are those that this page was made with.

=cut

sub repeat {
    my ($options, @runs) = @_;
    my @files = map { _quoted($_->{report}->file) } @runs;
    my @analysis = grep { /^--/ } @$options;
    return section('To repeat it',
        _commands('The runs, each on the machine that is described above:',
            uniq grep { defined } map { $_->{report}->header('command') } @runs),
        _commands('The figures, and this page:', "realfeel-analyze stats @files",
            @runs > 1 ? join(' ', 'realfeel-analyze compare', (map { _quoted($_) } @analysis), @files) : (),
            join(' ', 'realfeel-analyze report', (map { _quoted($_) } @$options), @files)));
}

sub _commands {
    my ($lead, @lines) = @_;
    return unless @lines;
    return paragraph($lead) . element('pre', {}, join "\n", map { text($_) } @lines) . "\n";
}

# For a shell.
sub _quoted {
    my ($word) = @_;
    return $word if $word =~ m{\A[\w./:=,+\@%-]+\z};
    return q(') . $word =~ s/'/'\\''/gr . q(');
}

1;
