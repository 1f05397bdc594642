# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in bash for realfeel, realfeel-analyze and realfeel-try. It holds none of their words: options, commands,
# kinds of plots and what realfeel's options may be are read from --help, and the rest from what a refusal of the value
# "?" names.
# shellcheck shell=bash

# _realfeel_options COMMAND...: the options that its help lists, with "=" behind those that need a value.
_realfeel_options()
{
	"$@" --help 2>/dev/null </dev/null |
		sed -nE '/^Usage:$/,/^Options:/d; /^Examples:$/,$d; s/^ {2,6}(-([^ ]| [^ ])*).*/\1/p' |
		grep -oE -- '(^| )--?[A-Za-z][a-z-]*=?'
}

# _realfeel_listed HEADING|HEADING COMMAND...: the words that its help lists below the headings.
_realfeel_listed()
{
	"${@:2}" --help 2>/dev/null </dev/null | sed -nE "/^($1):\$/,/^\$/s/^  ([a-z-]+) .*/\\1/p"
}

# _realfeel_values OPTION COMMAND: the names that its help gives behind a colon, without what is said of them.
_realfeel_values()
{
	[[ $1 =~ ^--?[A-Za-z-]+$ ]] || return
	"$2" --help 2>/dev/null </dev/null | sed -E ':join; N; $! b join; s/\n {20,}/ /g' |
		sed -nE "/^ +(-., )?$1(, --[a-z-]+)?\\[?=(NAME|WHAT)/ {
			s/\\([^)]*\\)//g; s/^[^:]*: //; s/([a-z]+)[^,]*(, |\$)/\\1 /g; p }"
}

# _realfeel_analyze_values OPTION COMMAND [VERB]: it is called without a file, and so does nothing.
_realfeel_analyze_values()
{
	local value=("$1=?")
	[[ $1 == --* ]] || value=("$1" '?')
	"${@:2}" "${value[@]}" 2>&1 >/dev/null </dev/null |
		sed -nE '1 { /\?/! d; s/.*; use (one of )?//; t named; d; :named /like/ d; s/,| or / /g; p }'
}

# _realfeel_complete VALUES COMMAND...: options, or the values of the one before; without any, bash takes files.
_realfeel_complete()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=
	if [[ $current == = ]]; then
		current=''
		words=$("$1" "$previous" "${@:2}")
	elif [[ $previous == = ]]; then
		words=$("$1" "${COMP_WORDS[COMP_CWORD - 2]}" "${@:2}")
	elif [[ $current == -* ]]; then
		words=$(_realfeel_options "${@:2}")
	elif [[ $previous == -* ]]; then
		words=$("$1" "$previous" "${@:2}")
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
	if [[ ${COMPREPLY[*]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}

# _realfeel_command: behind -- stands a command; fails before it.
_realfeel_command()
{
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -- ]] || continue
		if declare -F _command_offset >/dev/null; then
			_command_offset $((i + 1))
		else
			mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
		fi
		return 0
	done
	return 1
}

_realfeel()
{
	_realfeel_command || _realfeel_complete _realfeel_values "$1"
}

_realfeel_analyze()
{
	local verbs current=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}
	verbs=$(_realfeel_listed 'One run|Several runs|Other programs' "$1")
	if [[ $COMP_CWORD == 1 && $current != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$current"; compgen -f -- "$current")
	elif [[ $COMP_CWORD == 2 && $verb == plot && $current != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_realfeel_listed 'Kinds of plots' "$1")" -- "$current")
	else
		[[ $COMP_CWORD -gt 1 && $'\n'$verbs$'\n' == *$'\n'"$verb"$'\n'* ]] || verb=stats
		_realfeel_complete _realfeel_analyze_values "$1" "$verb"
	fi
}

_realfeel_try()
{
	local current=${COMP_WORDS[COMP_CWORD]}
	if _realfeel_command; then
		return
	elif [[ $current != [-=]* && ${COMP_WORDS[COMP_CWORD - 1]} != [-=]* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$1" --list 2>/dev/null | sed -n 's/^\([a-z-]*\): .*/\1/p')" -- "$current")
	else
		_realfeel_complete _realfeel_analyze_values "$1"
	fi
}

complete -o bashdefault -o default -F _realfeel realfeel
complete -o bashdefault -o default -F _realfeel_analyze realfeel-analyze
complete -o bashdefault -o default -F _realfeel_try realfeel-try
