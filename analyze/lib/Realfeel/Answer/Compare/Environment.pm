# SPDX-License-Identifier: GPL-2.0-or-later
# How the circumstances of two runs differ, and whether like is compared with like.
package Realfeel::Answer::Compare::Environment;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(differences doubts is_result names of_2002 told_by_both);

use File::Basename qw(basename);
use List::Util qw(all first);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Keys qw(class);
use Realfeel::Model::Copies qw(repeated shared);
use Realfeel::Model::Likeness qw(differing);

use constant {
    # The keys that another kernel changes, the most telling first
    KERNEL      => [qw(kernel_release preemption kernel_command_line kernel_version)],
    SHORT       => 40,          # a longer value is cut down to what differs
    NAME_LENGTH => 16,
};

# Hashes of key, base and file for the settings, rights and facts of the machine that differ. Keys missing in a report
# are left out. Long values are reduced to the parts that the other lacks, undef if there are none; both are undef if
# only the order differs. The origin of the preemption model does not matter.
sub differences ($base, $file) {
    my @told = grep { $_ ne 'preemption_from' && !is_result($_) } $base->keys;
    my @both = grep { defined $file->header($_) } @told;
    return map { _difference($_, $base->header($_), $file->header($_)) } @both;
}

sub _difference ($key, @values) {
    s/^on,.*/on/ for $key eq 'explain' ? @values : ();
    return if $values[0] eq $values[1];
    my $long = $key eq 'kernel_command_line' || grep { length > SHORT } @values;
    my ($base, $file) = $long ? _parts($key, @values) : @values;
    return { key => $key, base => text($base), file => text($file) };
}

sub _parts ($key, @values) {
    my ($separator) = $key eq 'kernel_command_line' ? ' ' : grep { "@values" =~ /\Q$_\E/ } ' | ', ', ', '; ';
    return @values unless defined $separator;
    my @parts = map { [split /\Q$separator\E/] } @values;
    return map { _own($separator, $parts[$_], $parts[1 - $_]) } 0, 1;
}

sub _own ($separator, $ours, $theirs) {
    my %is_theirs = map { $_ => 1 } @$theirs;
    my $own = join $separator, grep { !$is_theirs{$_} } @$ours;
    return $own eq '' ? undef : $own;
}

sub is_result ($key) { return class($key) eq 'result' }

# The keys on machine, rights and settings in both reports, besides those on the source: imported files have few or none
sub told_by_both ($base, $file) {
    return grep { class($_) eq 'setting' && defined $file->header($_) } $base->keys;
}

# What to call the two runs: what differs, if that is short and a single thing, either the kernel with all that it
# entails or a setting; else the names of their files; BASE and FILE if these are equal
sub names ($base, $file, @differences) {
    my %values = map { $_->{key} => [map { printable($_ // '-') } @$_{qw(base file)}] }
        grep { $_->{key} ne 'preflight' } @differences;
    $values{preemption} = [map { printable($_->preemption // 'unknown') } $base, $file] if $values{preemption};
    my @kernel = grep { $values{$_} } @{ KERNEL() };
    my $key = @kernel == keys %values ? first { _short($_, @{ $values{$_} }) } @kernel
        : keys %values == 1 ? (keys %values)[0] : undef;
    my @names = defined $key ? map { _name($key, $_) } @{ $values{$key} } : ();
    return @names if @names && $names[0] ne $names[1] && all { length $_ <= NAME_LENGTH } @names;
    my @files = map { printable($_->file) } $base, $file;
    my @short = map { basename($_) } @files;
    return $files[0] eq $files[1] ? qw(BASE FILE) : $short[0] eq $short[1] ? @files : @short;
}

sub _short ($key, @values) {
    return all { length _name($key, $_) <= NAME_LENGTH && !/^(?:unknown\b|-$)/ } @values;
}

sub _name ($key, $value) {
    return $value if grep { $_ eq $key } @{ KERNEL() };
    return "$key $value";
}

# Why like may not be compared with like: hashes of code with unlike, measured in different ways (Model::Likeness): key,
# base, file; unlike_unknown: file, which lacks key; counted: file counts wake-ups, the other periods; buckets: file, of
# 2002; shared: runs in both; repeated: file, in which so many runs are copies; verdict: file, with that verdict;
# contradicted: file, whose lateness is unreliable for that reason; break: file, which ended at its first latency above
# --break.
sub doubts ($measure, @reports) {
    return (
        (map { _unlike($_, @reports) } differing(@reports)),
        _of_one_alone(counted => grep { ($_->header('lateness_of') // '') eq 'wake-ups' } @reports),
        _of_one_alone(buckets => of_2002(@reports)),
        _copies(@reports), map { _of_each($measure, $_) } @reports,
    );
}

sub _unlike ($unlike, $base, $file) {
    my ($key, @values) = @$unlike{qw(key base file)};
    return { code => 'unlike', key => $key, base => text($values[0]), file => text($values[1]) }
        if defined $values[0] && defined $values[1];
    return { code => 'unlike_unknown', key => $key, file => text((defined $values[0] ? $file : $base)->file) };
}

sub _of_one_alone ($code, @reports) {
    return @reports == 1 ? { code => $code, file => text($reports[0]->file) } : ();
}

# Copies narrow the intervals; runs in both make them alike
sub _copies (@reports) {
    my $shared = shared(@reports);
    return (
        $shared ? { code => 'shared', runs => number($shared) } : (),
        map { { code => 'repeated', file => text($_->file), runs => number(repeated($_)) } }
            grep { repeated($_) } @reports,
    );
}

sub _of_each ($measure, $report) {
    my $file = text($report->file);
    my ($verdict, $contradiction) = ($report->header('verdict') // 'valid', $report->contradiction);
    return (
        $verdict ne 'valid' ? { code => 'verdict', file => $file, verdict => text($verdict) } : (),
        $measure eq 'lateness' && defined $contradiction
            ? { code => 'contradicted', file => $file, reason => text($contradiction) } : (),
        ($report->header('status') // '') eq 'break'
            ? { code => 'break', file => $file, latency => text($report->latency_name) } : (),
    );
}

# The reports with buckets of 2002
sub of_2002 { return grep { $_->format eq '2002' || ($_->header('bins') // '') =~ /^of 2002/ } @_ }

1;
