# SPDX-License-Identifier: GPL-2.0-or-later
# The experiment that the command line asks for.
package Realfeel::Try::Wish;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(wish);

use File::Basename qw(basename);
use List::Util qw(any uniqstr);
use Realfeel::Base::Units qw(nanoseconds);
use Realfeel::Options qw(usage_error);
use Realfeel::Try::Ready qw(measured_cpus names ready);

use constant {
    NS_PER_S => 1e9,
    BLOCKS   => 20,         # of each kind
    BLOCK    => '10s',
    SETTLE   => '1s',
    RESTARTS => qr/\b(?:reboot|kexec|poweroff|shutdown|(?:update-)?grub\w*|bootctl)\b/,
};

# As Try::Experiment takes it; -- precedes the measurement
sub wish ($option, $names, $end = undef, @command) {
    usage_error("no measurement is named; give it behind --, as in -- realfeel -d 10s") unless defined $end;
    usage_error("no realfeel is called behind --; name it, as in -- realfeel -d 10s")
        unless any { basename($_) eq 'realfeel' } @command;
    my @ready = map { _ready($_, @command) } uniqstr @$names;
    my @variants = (@ready, _change($option), map { _variant($_) } @{ $option->{variant} // [] });
    usage_error('no change is named; give one of --list, or --change and --undo') unless @variants;
    _refuse_variant($_) for @variants;
    usage_error('two changes have one name; give each its own') if uniqstr(map { $_->{name} } @variants) < @variants;
    my ($for_s, $settle_s) = map { nanoseconds($_) / NS_PER_S } $option->{for} // '0s', $option->{settle} // SETTLE;
    return {
        variants => \@variants,
        shows    => [uniqstr map { $_ // () } (map { $_->{show} } @ready), $option->{show}],
        always   => [_has_end(@command) ? () : ('-d', BLOCK), uniqstr map { @{ $_->{always} } } @ready],
        command  => \@command,
        at       => $option->{at},
        prefix   => $option->{output} // 'try',
        seed     => $option->{seed} // int rand 1e9,
        settle_s => $settle_s,
        $option->{for} ? (for_s => $for_s) : (blocks => $option->{blocks} // BLOCKS),
    };
}

# Whether options of realfeel end a block, or its load does
sub _has_end { return any { /\A(?:-[qF]*[dn]|--duration|--samples|--\z)/ } @_ }

sub _ready ($name, @command) {
    my @names = names();
    usage_error("there is no experiment '$name'; the experiments are " . join ', ', @names)
        unless any { $_ eq $name } @names;
    my $ready = ready($name, cpus => [measured_cpus('', @command)]);
    die "$name: not here: $ready->{lacking}\n" if defined $ready->{lacking};
    return $ready;
}

sub _change ($option) {
    my ($change, $undo) = @$option{qw(change undo)};
    return unless defined $change || defined $undo;
    usage_error('--change and --undo belong together; give both') unless defined $change && defined $undo;
    return { name => 'change', change => $change, undo => $undo, show => $option->{show} };
}

# If commands contain colons, the separator is one with blanks around it
sub _variant ($text) {
    my ($name, $commands) = $text =~ /\A(.*?)=(.*)\z/s;
    my @commands = grep { /\S/ } split $text =~ / : / ? qr/ : / : qr/:/, $commands // '', -1;
    usage_error("--variant=$text is not NAME=CHANGE:UNDO; correct it, with ' : ' between commands that have colons")
        unless @commands == 2;
    return { name => $name, change => $commands[0], undo => $commands[1] };
}

sub _refuse_variant ($variant) {
    my $name = $variant->{name};
    usage_error("'$name' cannot name a change; use letters, digits after them, and - before letters")
        unless $name =~ /\A[A-Za-z]\w*(?:[-.][A-Za-z]\w*)*\z/ && $name ne 'base';
    usage_error("'$variant->{change}' restarts the machine, which ends the experiment; measure several runs before and "
        . 'several after it, and give them to realfeel-analyze compare') if ($variant->{change} // '') =~ RESTARTS;
}

1;
