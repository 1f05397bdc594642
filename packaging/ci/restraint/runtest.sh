#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A task for restraint, and so for Beaker, and a test for tmt, which knows the same commands. The score is the maximum
# in whole microseconds.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
realfeel --quiet -d "${TIME:-10m}" --max="${MAX:-200us}" -o "$folder/realfeel.hist" 2>"$folder/realfeel.txt"
case $? in
0) result=PASS ;;
4) result=SKIP ;;
*) result=FAIL ;;
esac
if [ -e "$folder/realfeel.hist" ]; then
	realfeel-analyze -v "$folder/realfeel.hist" >>"$folder/realfeel.txt"
	max=$(realfeel-analyze export --format=tap "$folder/realfeel.hist" | sed -n 's/^# max: \([0-9]*\).*/\1/p')
	rstrnt-report-log -l "$folder/realfeel.hist"
fi
rstrnt-report-result -o "$folder/realfeel.txt" realfeel "$result" "${max:-0}"
