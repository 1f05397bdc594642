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
create_out_dir "${OUTPUT}"

# A binary of one's own needs no package: make LDFLAGS=-static, once for each ABI
REALFEEL="./bin/$(uname -m)/realfeel"
if [ ! -x "${REALFEEL}" ]; then
    REALFEEL="realfeel"
    install_deps "realfeel" "${SKIP_INSTALL}"
fi

# The headers of the report, one for each CPU, as results: they end where the histogram begins
results() {
    awk '/^# [a-z0-9_]+: / { value[substr($2, 1, length($2) - 1)] = $3 }
        function result(name, passes) { print cpu name, passes ? "pass" : "fail" }
        /^# histogram/ {
            cpu = "cpu" in value ? "cpu" value["cpu"] "-" : ""
            result("measured-to-the-end", value["status"] == "complete")
            result("valid", value["verdict"] == "valid")
            if ("max" in value) result("within-max", value["max"] == "kept")
            print cpu "samples pass", value["samples"]
            if (value["missed"] != "unknown") print cpu "missed pass", value["missed"]
            for (n = split("p50 p99 p99_9 max", names); n > 0; n--)
                if ("latency_" names[n] "_us" in value) print cpu names[n] " pass", value["latency_" names[n] "_us"], "us"
            split("", value)
        }' "${REPORT}"
}

"${REALFEEL}" --quiet -d "${DURATION}" --max="${MAX}" -a "${CPUS}" -s "${SOURCE}" ${LOAD:+"--load=${LOAD}"} -o "${REPORT}"
status=$?
if [ "${status}" = 4 ]; then
    report_skip realfeel
elif [ -e "${REPORT}" ]; then
    results | tee -a "${RESULT_FILE}"
else
    report_fail realfeel
fi
