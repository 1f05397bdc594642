# SPDX-License-Identifier: GPL-2.0-or-later
# Rounds that measure with and without changes.
package Realfeel::Try::Experiment;
use Realfeel::Base::Modern;

use File::Basename qw(basename);
use List::Util qw(first max min shuffle);
use POSIX qw(WNOHANG _exit);
use Realfeel::Answer::Trial qw(trial);
use Realfeel::Base::Units qw(printable refusal);
use Realfeel::Files qw(block complain);
use Realfeel::Model::Names qw(BASE block_name);
use Realfeel::Show::Compare qw(lacks progress);
use Realfeel::Try::Guard qw(FIRST_S SIGNALS);

use constant {
    MEASURED => { map { $_ => 1 } 0, 2 },       # exit statuses of realfeel
    SERVED_S => 1,              # a signal just before a wait may be served this much later
    SHOW_FAILED => {
        late => 'did not end within 10 s; give one that does',
        long => 'printed more than 64 KiB; have it print only the setting',
        stopped => 'was stopped, so it is not known whether the setting is restored',
    },
};

# Every round measures the base and each variant once, in random order, and keeps the reports. %$wish has variants,
# hashes of name, change and undo, commands, undef if options of realfeel do it, and show, a command that prints
# something else while changed, if known; shows, commands whose output must be the same at the end; always, options for
# all blocks; command, its words; prefix of all files; seed; settle_s, to wait before each block; blocks (at most that
# many of each kind) or for_s (the longest time), either of which may be undef; and at, the statistic of Answer::Trial.
# Progress goes to standard error.
#
# Returns a hash of names, rounds and failures, lines on why it ended early and what was not restored: each change is
# either undone or has a line.
sub conduct ($wish) {
    my @names = map { $_->{name} } @{ $wish->{variants} };
    my $self = bless { %$wish, names => \@names, script => "$wish->{prefix}-undo.sh", rounds => [], failures => [],
        signals => 0, started => time }, __PACKAGE__;
    $self->_refuse_existing;
    srand $self->{seed};
    local @SIG{qw(CHLD PIPE)} = (sub { }, 'IGNORE');
    local @SIG{ @{ SIGNALS() } } = map { ($SIG{$_} // '') eq 'IGNORE' ? 'IGNORE' : sub { $self->{signals}++ } }
        @{ SIGNALS() };
    $self->{guard} = Realfeel::Try::Guard->start(script => $self->{script}, signals => sub { $self->{signals} });
    $self->_between_shows(sub { eval { $self->_all_rounds; 1 } or push @{ $self->{failures} }, $@ });
    $self->{guard}->end;
    push @{ $self->{failures} }, "the experiment was interrupted\n" if $self->{signals};
    return { (map { $_ => $self->{$_} } qw(names rounds)), failures => [map { refusal($_) } @{ $self->{failures} }] };
}

sub _between_shows ($self, $experiment) {
    my $kept = block_name($self->{prefix}, 1, '') =~ s/\d+-/NN-NAME/r;
    complain("order of --seed=$self->{seed}; each block is kept as $kept\n");
    for (@{ $self->{shows} }) {
        $self->{found}{$_} = eval { $self->_shown($_) } // ($self->{signals} ? return : die $@);
        complain("found: $self->{found}{$_}\n");
    }
    $experiment->();
    for (@{ $self->{shows} }) {
        my $output = eval { $self->_shown($_) };
        if (!defined $output)                  { push @{ $self->{failures} }, $@ }
        elsif ($output eq $self->{found}{$_})  { complain("found again at the end: $output\n") }
        else { push @{ $self->{failures} }, "at the end it is not what was found, but: $output\n" }
    }
}

sub _refuse_existing ($self) {
    my $script = $self->{script};
    die printable("$script: is left from an experiment that could not undo a change; run 'sh $script', then remove it")
        . "\n" if -e $script;
    opendir my $folder, $self->{prefix} =~ m{\A(.*/)}s ? $1 : '.'
        or die printable("$self->{prefix}: $!; give a folder that exists") . "\n";
    my $start = basename("$self->{prefix}-");
    my $taken = first { /\A\Q$start\E\d+-.*\.hist\z/s } readdir $folder;
    die printable("$taken: is from an earlier experiment; choose another name, as in -o $self->{prefix}-2") . "\n"
        if defined $taken;
}

# What the command prints, whatever its exit status
sub _shown ($self, $command) {
    my ($output, $failure) = $self->{guard}->run($command);
    die printable("show '$command' ") . SHOW_FAILED->{$failure} . "\n" if defined $failure;
    return printable($output =~ s/\s+\z//r =~ s/\s*\n\s*/, /gr);
}

sub _all_rounds ($self) {
    until ($self->{signals} || defined $self->_left_s && $self->_left_s <= 0) {
        $self->_round;
        my $trial = trial($self->{at}, $self->{names}, @{ $self->{rounds} });
        _refuse_useless($trial);
        return if $trial->{decided};
        complain(progress($trial, $self->_left_s) . "\n") if $self->_left_s > 0 && !$self->{signals};
    }
}

sub _round ($self) {
    push @{ $self->{rounds} }, \my @reports;
    for my $place (shuffle 0 .. @{ $self->{variants} }) {
        $reports[$place] = $self->_block($place ? $self->{variants}[$place - 1] : { name => BASE });
        return if $self->{signals};
    }
}

# If further blocks could not help
sub _refuse_useless ($trial) {
    my @variants = @{ $trial->{variants} };
    my ($lacking) = map { @{ $_->{left_out} } } @variants;
    return if !$lacking || $lacking->{code} !~ /^(?:samples|bins|unknown)$/ || grep { $_->{effect}{pairs} } @variants;
    die lacks($lacking) . "; measure longer, or decide at another --at\n";
}

# The most seconds that may be left, if rounds take as long as those before; undef before the first
sub _left_s ($self) {
    my $done = @{ $self->{rounds} } or return;
    my $each = max(1, time - $self->{started}) / $done;
    return ($self->{blocks} - $done) * $each if defined $self->{blocks};
    my $left = $self->{for_s} - $done * $each;
    return $left < $each ? 0 : $left;
}

# The part of the report that is kept; undef if a signal came first
sub _block ($self, $variant) {
    my $report;
    my $is_measured = eval {
        $self->_change($variant) if defined $variant->{change};
        for (my $left = $self->{settle_s}; $left > 0 && !$self->{signals}; $left -= SERVED_S) {
            $self->{guard}->wait(min(SERVED_S, $left));
        }
        $report = $self->_measured($variant) unless $self->{signals};
        $self->_refuse_absent($variant) unless $self->{signals};
        1;
    };
    my $failure = $is_measured ? '' : $@;
    my ($status, $output) = $self->{guard}->undo;
    complain("$variant->{name} is undone\n") if !$is_measured && defined $status && !$status;
    return $report if $is_measured && !$status;
    $failure = _failure('undo', $variant, $status, $output) . printable("; the change may still be there: put it back, "
        . "then remove $self->{script}, which has the command") . "\n$failure" if $status;
    die $failure;
}

sub _change ($self, $variant) {
    my ($status, $output) = $self->{guard}->change(@$variant{qw(name change undo)});
    die _failure('change', $variant, $status, $output) . "; correct it\n" if $status && !$self->{signals};
}

# Without the change, or with a change that did not last, nothing was measured
sub _refuse_absent ($self, $variant) {
    return unless defined $variant->{change} && defined $variant->{show};
    my $output = $self->_shown($variant->{show});
    die "$variant->{name}: at the end of its block the setting is still $output: the change has no effect, or "
        . "something else reverts it\n" if $output eq $self->{found}{ $variant->{show} };
}

sub _failure ($which, $variant, $status, $output) {
    my ($last) = $output =~ /([^\n]+)\n*\z/;
    return printable("$which '$variant->{$which}' of $variant->{name} ended with status $status"
        . (defined $last ? ": $last" : ''));
}

sub _measured ($self, $variant) {
    my $file = block_name($self->{prefix}, scalar @{ $self->{rounds} }, $variant->{name});
    open my $output, '+>', undef or die "a temporary file cannot be created: $!; free some space\n";
    my @words = @{ $self->{command} };
    my $program = first { basename($words[$_]) eq 'realfeel' } 0 .. $#words;
    splice @words, $program + 1, 0, '-o', $file, @{ $self->{always} }, @{ $variant->{options} // [] };
    my $status = $self->_run($output, @words);
    return undef if $self->{signals};
    die _refusal($status, $output) unless MEASURED->{$status};
    die printable("$file: was not written; leave out -o of realfeel") . "\n" unless -e $file;
    return block($file);
}

# The measurement only begins once the guard knows of it
sub _run ($self, $output, @command) {
    pipe my $wait, my $begin or die "a pipe cannot be created: $!; end other programs\n";
    my $pid = fork // die "realfeel cannot be started: $!; end other programs\n";
    _become($wait, $begin, $output, @command) unless $pid;
    $self->{guard}->measures($pid);
    syswrite $begin, '!';
    my ($pause, $is_asked) = (FIRST_S, 0);
    until (waitpid $pid, WNOHANG) {
        if ($is_asked) { kill $_ => $pid for qw(TERM CONT) }
        $is_asked = $self->{signals};       # a key on the terminal has asked the measurement, too
        $pause = $is_asked ? SERVED_S : min(SERVED_S, 2 * $pause);
        $self->{guard}->wait($pause);
    }
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    $self->{guard}->measures(0);
    return $status;
}

sub _become ($wait, $begin, $output, @command) {
    close $begin;
    sysread $wait, my $told, 1 or _exit(127);
    $SIG{PIPE} = 'DEFAULT';
    open STDIN, '<', '/dev/null' and open STDOUT, '>&', $output and open STDERR, '>&', $output or _exit(127);
    { no warnings 'exec'; exec { $command[0] } @command }
    print STDERR "$command[0]: $!\n";
    STDERR->flush;
    _exit(127);
}

sub _refusal ($status, $output) {
    seek $output, 0, 0;
    my ($last) = (join '', <$output>) =~ /([^\n]+?)\.?\n*\z/;      # with its full stop, Perl's looks like ours
    return printable("a block was not measured, realfeel ended with status $status" . (defined $last ? ": $last" : ''))
        . "\n";
}

1;
