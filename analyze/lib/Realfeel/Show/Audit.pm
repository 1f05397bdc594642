# SPDX-License-Identifier: GPL-2.0-or-later
# The text of realfeel-analyze audit.
package Realfeel::Show::Audit;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use Realfeel::Answer::Audit qw(audit);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(decimal printable wrapped);
use Realfeel::Show::Words qw(words);

use constant UNKNOWN => '-';

# A table of the findings of Answer::Audit on a run of Input::Import, and what they mean
sub text ($path, $run) {
    my $audit = audit($run);
    return join "\n", _title($path, $audit), (map { "  $_" } _table($audit)->text), '',
        (map { wrapped('  ', _finding($audit, $_)) } @{ $audit->{findings} }), '';
}

sub _title ($path, $audit) {
    my ($source, $seconds, $period) = @$audit{qw(source duration_s period_us)};
    return printable(join ', ', "$path: $source",
        defined $seconds ? words('duration', seconds => 0 + decimal($seconds, 3)) : (),
        defined $period ? words('audit.period', period => $period) : ());
}

sub _table ($audit) {
    return Realfeel::Base::Table->new(
        columns => [$audit->{part}, qw(samples expected lacking skipped beyond), 'max us'],
        rows    => [map { _row(%$_) } @{ $audit->{rows} }],
    );
}

sub _row (%row) {
    my @counts = map { $_ // UNKNOWN } @row{qw(total expected lacking skipped beyond)};
    return [$row{number} // 'all', @counts,
        defined $row{max_us} ? decimal($row{max_us}, 3) : UNKNOWN];
}

sub _finding ($audit, $finding) {
    return words("audit.$finding->{code}" . ($finding->{left_out} ? '_left_out' : ''), %{ $audit->{all} }, %$finding,
        part => $audit->{part});
}

1;
