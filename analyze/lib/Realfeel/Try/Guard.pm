# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the commands of an experiment, and undoes changes if the experiment dies. The guard is a process in its own
# session, out of reach of the terminal's keys. It alone runs commands, as the calling user. When the pipe from the
# experiment closes, it ends the measurement and undoes what is changed. If the guard is killed, the experiment starts
# another, which knows of the change. In case both are killed, a script that undoes a change exists while it is in
# force. Commands print to a file, so that a daemon that they leave behind blocks nothing.
package Realfeel::Try::Guard;
use Realfeel::Base::Modern;

use List::Util qw(min);
use POSIX qw(SEEK_END WNOHANG _exit setsid);
use Realfeel::Base::File;
use Realfeel::Base::Units qw(printable);
use Realfeel::Files qw(complain);

use constant {
    FIRST_S    => 0.001,        # waits for an end that may be near become longer
    POLL_S     => 0.1,          # a signal that comes just before a wait is served so much later
    PATIENCE_S => 5,            # with a command that was told to end, and with a guard that is stopped
    SHOW_S     => 10,           # with a command that shows the setting,
    SHOW_BYTES => 64 << 10,     # which is that long at most; the others' output is kept from its end
    ATTEMPTS   => 3,            # for a command with which its guard was killed
    KILLED     => 137,          # the exit status that a shell has for it
    SIGNALS    => [qw(INT TERM HUP QUIT)],
};

# Takes script (its path) and signals (a function that counts signals to end): the first ends any command but an undo,
# which needs another as it runs
sub start ($class, %self) {
    my $self = bless {%self}, $class;
    $self->_fork;
    return $self;
}

# What a command of --show prints; undef and "late", "long" or "stopped" if unknown
sub run ($self, $command) {
    my ($status, $output) = $self->_ask(run => $command);
    return $status =~ /[a-z]/ ? (undef, $status) : $output;
}

# Exit status, 128 + N for signal N, and output. A change that failed is to be undone, too.
sub change ($self, $name, $change, $undo) {
    $self->{undo} = $undo;
    return $self->_ask(change => $change, $undo, $name);
}

# Undoes the last change: status and output, empty without a change. The script stays if that fails.
sub undo ($self) {
    return unless defined $self->{undo};
    my @result = $self->_ask('undo');
    delete $self->{undo};
    return @result;
}

# $pid measures, and has to end with the experiment; 0 when it has ended
sub measures ($self, $pid) {
    $self->{measures} = $pid;
    _send($self->{requests}, measures => $pid);
}

# Waits until then, or for a signal; replaces a guard that was killed
sub wait ($self, $seconds) {
    $self->_end_stopped;
    $self->_replace if _readable($self->{answers}, $seconds);
}

sub end ($self) {
    close $self->{requests};
    until (waitpid $self->{pid}, WNOHANG) {
        $self->_end_stopped;
        select undef, undef, undef, POLL_S;
    }
}

sub _fork ($self) {
    pipe my $theirs, $self->{requests} or $self->_refuse;
    pipe $self->{answers}, my $ours or $self->_refuse;
    $self->{pid} = fork // $self->_refuse;
    return if $self->{pid};
    close $self->{requests};
    close $self->{answers};
    @$self{qw(requests answers)} = ($theirs, $ours);
    eval { $self->_guard; 1 } or complain($@);
    _exit(0);
}

sub _refuse ($self) {
    die "the process that undoes changes cannot be started: $!; end other programs"
        . (defined $self->{undo} ? printable(", then run 'sh $self->{script}'") : '') . "\n";
}

# If the guard dies, a running command is left to finish, unless it only shows the setting.
sub _replace ($self, $command = undef, $verb = undef) {
    waitpid $self->{pid}, 0;
    my $signals = $self->{signals}->();
    while ($command && _is_running($command)) {
        if    ($verb eq 'run')                   { kill KILL => -$command }
        elsif ($self->{signals}->() > $signals)  { kill $_ => -$command for qw(TERM CONT) }
        select undef, undef, undef, POLL_S;
    }
    complain("the process that undoes changes was killed; another takes its place\n");
    $self->_fork;
}

# A zombie, which may never be reaped, has ended
sub _is_running ($pid) { return _state($pid) !~ /[ZX]/ }

sub _state ($pid) {
    open my $stat, '<', "/proc/$pid/stat" or return 'X';
    return (<$stat> // '') =~ /.*\) (\w)/s ? $1 : 'X';
}

# Kills, and thereby replaces, a guard that remains stopped
sub _end_stopped ($self) {
    return delete $self->{stopped} if _state($self->{pid}) ne 'T';
    kill KILL => $self->{pid} if time > PATIENCE_S + ($self->{stopped} //= time);
}

# Repeats a command whose guard was killed, except for a change: two changes may need two undos. A command that kills
# its guard every time has failed.
sub _ask ($self, $verb, @arguments) {
    for (my $left = $verb eq 'change' ? 1 : ATTEMPTS; $left;) {
        my ($command, @result) = $self->_answered($verb, @arguments);
        return @result if @result;
        $left-- if $command;
        delete $self->{undo} if $verb eq 'undo' && !$left;
        $self->_replace($command, $verb);
    }
    return ($verb eq 'run' ? 'stopped' : KILLED, '');
}

# The pid of the command, 0 if none runs yet, and its result, empty if the guard was killed
sub _answered ($self, $verb, @arguments) {
    my $enough = { change => 1, run => 1 + $self->{signals}->(), undo => 2 + $self->{signals}->() }->{$verb};
    my ($command, $is_stopped) = 0;
    _send($self->{requests}, $verb, @arguments);
    while (1) {
        _send($self->{requests}, 'stop') if !$is_stopped && ($is_stopped = $self->{signals}->() >= $enough);
        $self->_end_stopped;
        next unless _readable($self->{answers}, POLL_S);
        my ($what, @values) = _receive($self->{answers}) or return $command;
        return ($command, @values) if $what eq 'ended';
        delete $self->{undo}, die @values if $what eq 'refused';
        ($command) = @values;
    }
}

# Sends a list of texts. If the reader is gone, the end of the other pipe shows it.
sub _send ($pipe, @texts) {
    local $SIG{PIPE} = 'IGNORE';
    my $bytes = pack 'N/a*', join "\0", @texts;
    while (length $bytes) {
        my $written = syswrite $pipe, $bytes;
        return unless defined $written || $!{EINTR};
        substr $bytes, 0, $written // 0, '';
    }
}

sub _receive ($pipe) {
    my $length = _bytes($pipe, 4) // return;
    return split /\0/, _bytes($pipe, unpack 'N', $length) // return, -1;
}

sub _bytes ($pipe, $count) {
    my $bytes = '';
    while (length $bytes < $count) {
        my $read = sysread $pipe, $bytes, $count - length $bytes, length $bytes;
        return if defined $read ? !$read : !$!{EINTR};
    }
    return $bytes;
}

sub _readable ($pipe, $seconds) {
    vec(my $ready = '', fileno $pipe, 1) = 1;
    return select($ready, undef, undef, $seconds) > 0;
}

# What follows is done by the guard.

sub _guard ($self) {
    setsid();
    $SIG{$_} = 'IGNORE' for @{ SIGNALS() };
    $SIG{PIPE} = 'IGNORE';
    $SIG{CHLD} = sub { };
    while (my ($verb, @arguments) = _receive($self->{requests})) {
        if    ($verb eq 'measures') { $self->{measures} = $arguments[0] }
        elsif ($verb ne 'stop')     { _send($self->{answers}, $self->_serve($verb, @arguments)) }
    }
    $self->_end_measurement if $self->{measures};
    return unless defined $self->{undo};
    my ($status) = $self->_undo;
    complain('the experiment was killed' . ($status ? " and its change could not be undone; run sh $self->{script}\n"
        : "; its change is undone\n"));
}

sub _serve ($self, $verb, $command = undef, @undo) {
    return (ended => $self->_undo) if $verb eq 'undo';
    return (refused => $@) if $verb eq 'change' && !eval { $self->_prepare_undo(@undo); 1 };
    return (ended => $self->_execute($command, $verb));
}

# An existing script belongs to the same change if this guard inherited a change
sub _prepare_undo ($self, $undo, $name) {
    my $script = "# Undoes $name, which an experiment of realfeel-try has changed.\n$undo\n";
    Realfeel::Base::File::save($script, $self->{script}, defined $self->{undo});
    $self->{undo} = $undo;
}

sub _undo ($self) {
    my ($status, $output) = $self->_execute(delete $self->{undo}, 'undo');
    unlink $self->{script} unless $status;
    return ($status, $output);
}

sub _end_measurement ($self) {
    kill TERM => $self->{measures};
    for (1 .. PATIENCE_S / POLL_S) {
        return unless _is_running($self->{measures});
        select undef, undef, undef, POLL_S;
    }
}

sub _execute ($self, $command, $verb) {
    open my $output, '+>', undef or return (127, "a temporary file cannot be created: $!; free some space");
    my $pid = fork // return (127, "$!");
    $self->_become($command, $output) unless $pid;
    my ($pause, $waited_s, $since_told, $failure) = (FIRST_S, 0, 0);
    until (waitpid $pid, WNOHANG) {
        $pause = min(POLL_S, 2 * $pause);
        if (defined $failure || $self->{is_alone}) { select undef, undef, undef, $pause }
        elsif (_readable($self->{requests}, $pause)) {
            $self->{is_alone} = !_receive($self->{requests});
            $failure = 'stopped' if !$self->{is_alone} || $verb ne 'undo';
        }
        $failure //= _excess($output, $waited_s += $pause) if $verb eq 'run';
        next unless defined $failure;
        kill $_ => -$pid for $since_told > PATIENCE_S ? 'KILL' : 'TERM', 'CONT';
        $since_told += $pause;
    }
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    $failure //= _excess($output, 0);
    seek $output, -min(SHOW_BYTES, -s $output), SEEK_END;
    return ($verb eq 'run' && $failure || $status, (do { local $/; <$output> } // '') =~ tr/\0//dr);
}

# Why a command of --show is no longer waited for
sub _excess ($output, $waited_s) {
    return $waited_s > SHOW_S ? 'late' : -s $output > SHOW_BYTES ? 'long' : undef;
}

# The command itself announces its pid to the experiment, which thus knows of everything that may run if the guard is
# killed
sub _become ($self, $command, $output) {
    setpgrp;
    _send($self->{answers}, begun => $$);
    $SIG{$_} = 'DEFAULT' for @{ SIGNALS() }, qw(CHLD PIPE);
    open STDIN, '<', '/dev/null' and open STDOUT, '>&', $output and open STDERR, '>&', $output or _exit(127);
    exec { '/bin/sh' } 'sh', '-c', $command or _exit(127);
}

1;
