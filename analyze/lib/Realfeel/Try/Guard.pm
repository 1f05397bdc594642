# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Try::Guard;
use Realfeel::Base::Modern;

use List::Util qw(min);
use POSIX qw(SEEK_END WNOHANG _exit setsid);
use Realfeel::Base::File;
use Realfeel::Base::Units qw(printable);
use Realfeel::Files qw(complain);
use Realfeel::Show::Words qw(words);

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

=head1 NAME

Realfeel::Try::Guard - who runs the commands of an experiment, and undoes what is changed when the experiment dies

=head1 DESCRIPTION

The guard is a process in a session of its own, which no key on the terminal reaches. It alone runs commands, as the
user who called it. When the pipe from the experiment ends, it ends the measurement and undoes what is changed. When the
guard itself is killed, the experiment starts another, which knows what is changed. While something is, a script that
puts it back is there for the case that both are killed.

What a command prints goes to a file, so that a daemon which it leaves behind holds up nobody.

=head1 FUNCTIONS

=head2 start($class, script => $path, signals => $count)

C<$count> returns how many signals to end have come so far: the first ends any command but an undo, which only the
second that comes meanwhile ends.

=cut

sub start ($class, %self) {
    my $self = bless {%self}, $class;
    $self->_fork;
    return $self;
}

=head2 run($command)

What a command prints, that of C<--show>. Undef and a word where that is not known: C<late>, C<long>, or C<stopped>.

=head2 change($name, $change, $undo)

Its exit status, 128 + N for signal N, and what it prints. A change that failed, too, is to be undone.

=head2 undo

Undoes the last change, and returns the same. Nothing is returned where there is none. If it fails, the script stays.

=cut

sub run ($self, $command) {
    my ($status, $output) = $self->_ask(run => $command);
    return $status =~ /[a-z]/ ? (undef, $status) : $output;
}

sub change ($self, $name, $change, $undo) {
    $self->{undo} = $undo;
    return $self->_ask(change => $change, $undo, $name);
}

sub undo ($self) {
    return unless defined $self->{undo};
    my @result = $self->_ask('undo');
    delete $self->{undo};
    return @result;
}

=head2 measures($pid)

This process measures, and is to end with the experiment; 0 when it has ended.

=head2 wait($seconds)

Waits, or until a signal comes. If the guard is killed meanwhile, it is replaced.

=head2 end

The guard ends.

=cut

sub measures ($self, $pid) {
    $self->{measures} = $pid;
    _send($self->{requests}, measures => $pid);
}

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
    complain(words('try.guard_replaced') . "\n");
    $self->_fork;
}

# A zombie, which nobody may ever fetch, has ended.
sub _is_running ($pid) { return _state($pid) !~ /[ZX]/ }

sub _state ($pid) {
    open my $stat, '<', "/proc/$pid/stat" or return 'X';
    return (<$stat> // '') =~ /.*\) (\w)/s ? $1 : 'X';
}

# A guard that is stopped and stays so is killed, and so replaced.
sub _end_stopped ($self) {
    return delete $self->{stopped} if _state($self->{pid}) ne 'T';
    kill KILL => $self->{pid} if time > PATIENCE_S + ($self->{stopped} //= time);
}

# A command whose guard was killed is called again, but no change: who knows what that would undo. One that kills its
# guard each time has failed.
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

# The process that runs the command, 0 if none does yet, and what came of it, nothing if the guard was killed.
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

# A message is a list of texts. Whoever reads it may be gone: then the end of the other pipe tells.
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
    $self->_tell_undo if defined $self->{undo};
}

sub _serve ($self, $verb, $command = undef, @undo) {
    return (ended => $self->_undo) if $verb eq 'undo';
    return (refused => $@) if $verb eq 'change' && !eval { $self->_prepare_undo(@undo); 1 };
    return (ended => $self->_execute($command, $verb));
}

# The script of a change of which this guard knows already is left of the guard before it.
sub _prepare_undo ($self, $undo, $name) {
    my $is_known = defined $self->{undo};
    Realfeel::Base::File::save(words('try.script', name => $name) . "\n$undo\n", $self->{script}, $is_known);
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

# Of an experiment that was killed.
sub _tell_undo ($self) {
    my ($status) = $self->_undo;
    complain(words($status ? 'try.killed_changed' : 'try.killed_undone', script => $self->{script}) . "\n");
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

# Why a command that shows the setting is not waited for.
sub _excess ($output, $waited_s) {
    return $waited_s > SHOW_S ? 'late' : -s $output > SHOW_BYTES ? 'long' : undef;
}

# The experiment learns of the command from itself, so that it knows of all that may run when the guard is killed.
sub _become ($self, $command, $output) {
    setpgrp;
    _send($self->{answers}, begun => $$);
    $SIG{$_} = 'DEFAULT' for @{ SIGNALS() }, qw(CHLD PIPE);
    open STDIN, '<', '/dev/null' and open STDOUT, '>&', $output and open STDERR, '>&', $output or _exit(127);
    exec { '/bin/sh' } 'sh', '-c', $command or _exit(127);
}

1;
