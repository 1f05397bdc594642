# SPDX-License-Identifier: GPL-2.0-or-later
package JsonSchema;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(parsed);

# JSON with the types as they are written, which Perl's scalars do not keep: each value is a hash of type and value.
sub parsed {
    my ($text) = @_;
    my $value = value(\$text);
    $text =~ /\G\s*\z/gc or die 'text after the document, from byte ', pos $text // 0, " on\n";
    return $value;
}

sub value {
    my ($text) = @_;
    return object($text) if $$text =~ /\G\s*\{/gc;
    return array($text)  if $$text =~ /\G\s*\[/gc;
    return { type => 'string',  value => $1 } if $$text =~ /\G\s*"((?:[^"\\\x00-\x1f]|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/gc;
    return { type => 'boolean', value => $1 } if $$text =~ /\G\s*(true|false)\b/gc;
    return { type => 'null',    value => $1 } if $$text =~ /\G\s*(null)\b/gc;
    return { type => $2 || $3 ? 'number' : 'integer', value => $1 }
        if $$text =~ /\G\s*(-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?)/gc;
    die 'no JSON at byte ', pos $$text // 0, "\n";
}

sub object {
    my ($text) = @_;
    my %object;
    until ($$text =~ /\G\s*\}/gc) {
        !%object || $$text =~ /\G\s*,/gc or die "no comma between the members of an object\n";
        my $key = value($text);
        $key->{type} eq 'string' && $$text =~ /\G\s*:/gc or die "no key in an object\n";
        die "key $key->{value} is there twice\n" if $object{ $key->{value} };
        $object{ $key->{value} } = value($text);
    }
    return { type => 'object', value => \%object };
}

sub array {
    my ($text) = @_;
    my @array;
    until ($$text =~ /\G\s*\]/gc) {
        !@array || $$text =~ /\G\s*,/gc or die "no comma between the elements of an array\n";
        push @array, value($text);
    }
    return { type => 'array', value => \@array };
}

# What a schema may say here: the rest of JSON Schema is not known, and refused.
my %KEYWORD = map { $_ => 1 } qw($schema $defs $ref title description anyOf allOf type enum pattern minimum
    properties patternProperties additionalProperties unevaluatedProperties required items);

sub new {
    my ($class, $schema) = @_;
    return bless { top => $schema, seen => {} }, $class;
}

# What is wrong with a parsed value: a list of lines. The schema is the top one, unless a name from $defs is given.
sub faults {
    my ($self, $value, $name) = @_;
    my $schema = defined $name ? $self->{top}{'$defs'}{$name} : $self->{top};
    return $self->_faults($value, $schema, '', $name // '');
}

# The members of objects in the schema that no value had so far.
sub unseen {
    my ($self) = @_;
    my @all;
    for my $name (sort keys %{ $self->{top}{'$defs'} }) {
        push @all, _members($self->{top}{'$defs'}{$name}, $name);
    }
    return grep { !$self->{seen}{$_} } @all;
}

sub _members {
    my ($schema, $place) = @_;
    my $properties = $schema->{properties} // {};
    my @own = map { ("$place/$_", _members($properties->{$_}, "$place/$_")) } sort keys %$properties;
    return (@own, ref $schema->{items} ? _members($schema->{items}, $place) : ());
}

sub _faults {
    my ($self, $value, $schema, $path, $place) = @_;
    die "$path: no schema\n" unless ref $schema eq 'HASH';
    my ($unknown) = grep { !$KEYWORD{$_} } keys %$schema;
    die "$place: the keyword '$unknown' is not known here\n" if defined $unknown;
    return $self->_referred($value, $schema->{'$ref'}, $path) if $schema->{'$ref'};
    return $self->_any($value, $schema->{anyOf}, $path, $place) if $schema->{anyOf};
    my @types = ref $schema->{type} ? @{ $schema->{type} } : $schema->{type} // die "$place: no type\n";
    my $type = $value->{type};
    return "$path is of the type $type, not @types: " . (ref $value->{value} ? '' : $value->{value})
        unless grep { $_ eq $type || $_ eq 'number' && $type eq 'integer' } @types;
    return $self->_object($value->{value}, $schema, $path, $place) if $type eq 'object';
    return $self->_items($value->{value}, $schema, $path, $place) if $type eq 'array';
    return _leaf($value, $schema, $path);
}

sub _referred {
    my ($self, $value, $ref, $path) = @_;
    my ($name) = $ref =~ m{^#/\$defs/(\w+)$} or die "$path: cannot follow $ref\n";
    return $self->_faults($value, $self->{top}{'$defs'}{$name}, $path, $name);
}

sub _any {
    my ($self, $value, $schemas, $path, $place) = @_;
    my @lists = map { [$self->_faults($value, $_, $path, $place)] } @$schemas;
    return (grep { !@$_ } @lists) ? () : map { @$_ } @lists;
}

sub _object {
    my ($self, $object, $schema, $path, $place) = @_;
    $schema = $self->_whole($schema);
    my $patterns = $schema->{patternProperties} // {};
    my @faults = map { "$path has no $_" } grep { !exists $object->{$_} } @{ $schema->{required} // [] };
    for my $key (sort keys %$object) {
        my ($pattern) = grep { $key =~ /$_/ } sort keys %$patterns;
        my $member = $schema->{properties}{$key} // ($pattern ? $patterns->{$pattern} : $schema->{additionalProperties});
        $self->{seen}{"$place/$key"} = 1;
        push @faults, ref $member eq 'HASH' ? $self->_faults($object->{$key}, $member, "$path/$key", "$place/$key")
            : "$path/$key is not in the schema";
    }
    return @faults;
}

# With what the schemas of allOf say; these are objects from $defs.
sub _whole {
    my ($self, $schema) = @_;
    my @names = map { $_->{'$ref'} =~ m{^#/\$defs/(\w+)$} } @{ $schema->{allOf} // return $schema };
    my @parts = @{ $self->{top}{'$defs'} }{@names};
    for my $i (0 .. $#names) { $self->{seen}{"$names[$i]/$_"} = 1 for keys %{ $parts[$i]{properties} } }
    return { %$schema, properties => { map { %{ $_->{properties} } } $schema, @parts },
        required => [map { @{ $_->{required} // [] } } $schema, @parts] };
}

sub _items {
    my ($self, $array, $schema, $path, $place) = @_;
    return map { $self->_faults($array->[$_], $schema->{items}, "$path/$_", $place) } 0 .. $#$array;
}

sub _leaf {
    my ($value, $schema, $path) = @_;
    my $is_null = $value->{type} eq 'null';
    my $enum = $schema->{enum};
    return "$path is '$value->{value}', not one of those that may be"
        if $enum && !grep { defined $_ ? !$is_null && $_ eq $value->{value} : $is_null } @$enum;
    return "$path is '$value->{value}', which does not match $schema->{pattern}"
        if defined $schema->{pattern} && !$is_null && $value->{value} !~ /$schema->{pattern}/;
    return "$path is $value->{value}, below $schema->{minimum}"
        if defined $schema->{minimum} && !$is_null && $value->{value} < $schema->{minimum};
    return;
}

1;
