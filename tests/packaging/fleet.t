# SPDX-License-Identifier: GPL-2.0-or-later
# The playbook, on four hosts that are network namespaces with an SSH server: one loses its connection while it measures,
# one is stopped, one may not measure in real time.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use IO::Socket::INET;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../analyze/lib";
use Program;
use Realfeel::Model::Report;
use RunCommand qw(run start finish contents file_of wait_until);
use Test::More;

plan skip_all => 'only root can make network namespaces: run as root' if $>;
my @missing = grep { (run('which', $_))[0] } qw(ansible-playbook sshd ssh-keygen ip setpriv prlimit);
plan skip_all => "$missing[0] is missing: see .ci/run" if @missing;
plan skip_all => 'no network namespace can be made here' if (run('unshare', '--net', 'ip', 'link', 'add', 'type', 'veth'))[0];

my $PLAYBOOK = abs_path("$FindBin::Bin/../../packaging/fleet/realfeel.yml");
my ($program) = program();
my $tag = "rf$$";
my $sshd = (run('which', 'sshd'))[1] =~ s/\n//r;
my (%host, @servers);
workspace();

sub must { my ($status, undef, $err) = run(@_); die "@_: $err" if $status }

sub address { my ($i) = @_; return '10.' . ($$ >> 8 & 255) . '.' . ($$ & 255) . ".$i" }

# As the host with that number: its name, its end of the cable.
sub boot {
    my ($i, @limits) = @_;
    my ($name, $cable) = ("$tag-h$i", "$tag-$i");
    must(qw(ip netns add), $name);
    $host{"h$i"} = {name => $name, cable => $cable};
    must(qw(ip link add), $cable, qw(type veth peer name eth0 netns), $name);
    must(qw(ip link set), $cable, 'master', $tag, 'up');
    must('ip', '-n', $name, qw(addr add), address($i) . '/24', qw(dev eth0));
    must('ip', '-n', $name, qw(link set eth0 up));
    push @servers, start('ip', 'netns', 'exec', $name, @limits, $sshd, qw(-D -e -f /dev/null -h), abs_path('host'),
        map { ('-o', $_) } 'AuthorizedKeysFile=' . abs_path('key.pub'), qw(PidFile=none StrictModes=no UsePAM=no),
        'Subsystem=sftp internal-sftp');
}

# Whether sshd has begun.
sub answers {
    my $socket = IO::Socket::INET->new(PeerAddr => $_[0], PeerPort => 22, Timeout => 1) or return 0;
    return defined readline $socket;
}

sub processes { my ($host) = @_; return split ' ', (run(qw(ip netns pids), $host{$host}{name}))[1] }

END {
    for my $host (sort keys %host) {
        kill KILL => processes($host);
        run(qw(ip netns del), $host{$host}{name});
        run(qw(ip link del), $host{$host}{cable});
    }
    run(qw(ip link del), $tag) if %host;
    run('rm', '-rf', map { "/var/tmp/realfeel-$tag-$_" } keys %host);
}

-d '/run/sshd' or mkdir '/run/sshd' or die "/run/sshd: $!";
must(qw(ssh-keygen -q -t ed25519 -N), '', '-f', $_) for qw(key host);
must(qw(ip link add), $tag, qw(type bridge));
must(qw(ip addr add), address(254) . '/24', 'dev', $tag);
must(qw(ip link set), $tag, 'up');
boot($_) for 1 .. 3;
boot(4, 'setpriv', '--bounding-set=-sys_nice,-ipc_lock,-sys_resource', 'prlimit', '--rtprio=0', '--memlock=65536');

wait_until(sub { answers($_) }) for map { address($_) } 1 .. 4;
file_of('inventory', join '', (map { "$tag-h$_ ansible_host=" . address($_) . "\n" } 1 .. 4), "[all:vars]\n",
    'ansible_ssh_private_key_file=' . abs_path('key') . "\n",
    "ansible_ssh_common_args='-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o ConnectTimeout=15'\n");
$ENV{ANSIBLE_NOCOLOR} = 1;
my $play = start('ansible-playbook', qw(-f 10 -i inventory), $PLAYBOOK, map { ('-e', $_) } "program=$program",
    'minutes=0.1', 'patience=30', "options='-f 200 -s nanosleep'");

my $log = $play->{out};
wait_until(sub { contents($log) =~ /^TASK \[Wait for the end\]/m });
must(qw(ip link set), $host{h2}{cable}, 'down');
kill STOP => processes('h3');
sleep 20;
must(qw(ip link set), $host{h2}{cable}, 'up');
my ($status, $said) = finish($play);
kill CONT => processes('h3');

isnt($status, 0, 'a host without a report fails the play');
like($said, qr/^fatal: \[$tag-h3\].*"it does not answer"/m, 'the one that is stopped is named');
like($said, qr/^fatal: \[$tag-h4\].*take SCHED_FIFO 95: Operation not permitted; .*--best-effort/m, 'and the one without rights');
is_deeply([map { s{.*/}{}r } glob 'reports/*'], ["$tag-h1.hist", "$tag-h2.hist"], 'the others have a report') or diag $said;
for my $host (1, 2) {
    my $report = Realfeel::Model::Report->read("reports/$tag-h$host.hist");
    is($report->header('label'), "$tag-h$host", "h$host is its label");
    is($report->header('status'), 'complete', 'and its run whole');
}

done_testing;
