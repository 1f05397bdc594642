#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Measure, and write what became of it into output/result.txt: "CASE RESULT [MEASUREMENT [UNITS]]" a line. The report is
# output/realfeel.hist. Where there is nothing to measure with, the case realfeel is skipped.

# shellcheck disable=SC1091
. ../../lib/sh-test-lib

OUTPUT="$(pwd)/output"
RESULT_FILE="${OUTPUT}/result.txt"
REPORT="${OUTPUT}/realfeel.hist"

DURATION="10m"
MAX="200us"
CPUS="all"
SOURCE="auto"
LOAD=""
SKIP_INSTALL="false"

usage() {
    echo "Usage: $0 [-D duration] [-m max] [-a cpus] [-s source] [-w load] [-S true|false]" 1>&2
    exit 1
}

while getopts ":D:m:a:s:w:S:" opt; do
    case "${opt}" in
        D) DURATION="${OPTARG}" ;;
        m) MAX="${OPTARG}" ;;
        a) CPUS="${OPTARG}" ;;
        s) SOURCE="${OPTARG}" ;;
        w) LOAD="${OPTARG}" ;;
        S) SKIP_INSTALL="${OPTARG}" ;;
        *) usage ;;
    esac
done

! check_root && error_msg "Please run this script as root."
install_deps "realfeel realfeel-analyze" "${SKIP_INSTALL}"
create_out_dir "${OUTPUT}"

# Lines of TAP, and figures in its comments, as results
cases() {
    awk '/^# [[:alnum:].]+: [0-9.]+( us)?$/ { sub(":", " pass"); print substr($0, 3) }
        /^(not )?ok / {
            result = /^not/ ? "fail" : / # SKIP / ? "skip" : "pass"
            sub(/^(not )?ok [0-9]+ - /, "")
            sub(/ # SKIP .*/, "")
            gsub(/[^[:alnum:]_.]+/, "-")
            print $0, result
        }' "$1"
}

realfeel --quiet -d "${DURATION}" --max="${MAX}" -a "${CPUS}" -s "${SOURCE}" ${LOAD:+"--load=${LOAD}"} -o "${REPORT}"
status=$?
if [ "${status}" = 4 ]; then
    report_skip realfeel
elif [ -e "${REPORT}" ] && realfeel-analyze export --format=tap "${REPORT}" >"${OUTPUT}/realfeel.tap"; then
    cases "${OUTPUT}/realfeel.tap" | tee -a "${RESULT_FILE}"
else
    report_fail realfeel
fi
