# SPDX-License-Identifier: GPL-2.0-or-later
package Given;
use strict;
use warnings;

use Cwd qw(getcwd);
use Exporter 'import';
our @EXPORT = qw(given_by settings);

use RunCommand;

=head1 NAME

Given - what gnuplot was given to draw

=head2 given_by($run)

Calls C<$run> with a gnuplot that draws nothing, in the folder C<fake> of the present one. Returns a hash of what it
was to set: a text or a number by its name, an array for an array; and C<points>, the data.

=cut

sub given_by {
    my ($run) = @_;
    mkdir 'fake';
    chmod 0755, file_of('fake/gnuplot', <<'END');
#!/usr/bin/perl
open my $in, '<', $ARGV[-1] or die; local $/; my $script = <$in>;
my ($data, $picture) = map { $script =~ /^$_ = "(.*)"$/m ? $1 =~ s/\\(\d{3})/chr oct $1/ger : die } qw(data picture);
open $in, '<', $data or die; my $points = <$in>; open my $out, '>', 'given' or die;
print $out join "\0", $script, $points; close $out or die; open my $drawn, '>', $picture or die; print $drawn '</svg>';
END
    {
        local $ENV{PATH} = "${\getcwd()}/fake:$ENV{PATH}";
        $run->();
    }
    my ($script, $points) = split /\0/, contents('given'), -1;
    return { settings($script), points => $points };
}

=head2 settings($script)

The variables that the script sets, as such a hash.

=cut

sub settings {
    my ($script) = @_;
    my %set;
    for (split /\n/, $script) {
        if (/^array (\w+)\[\d+\](?: = \[(.*)\])?; /) { $set{$1} = [map { _value($_) } split /, /, $2 // ''] }
        elsif (/^(\w+) = (.*)$/)                     { $set{$1} = _value($2) }
    }
    return %set;
}

sub _value {
    my ($written) = @_;
    return $written =~ /^"(.*)"$/ ? $1 =~ s/\\(\d{3})/chr oct $1/ger : 0 + $written;
}

1;
