SUMMARY = "Measure how late Linux wakes a real-time process, and why"
HOMEPAGE = "https://realfeel.invalid"
SECTION = "console/tests"
LICENSE = "GPL-2.0-or-later"
LIC_FILES_CHKSUM = "file://COPYING;md5=b234ee4d69f5fce4486a80fdaf4a4263"

SRC_URI = "${HOMEPAGE}/releases/download/v${PV}/${BP}.tar.gz \
           file://run-ptest"
SRC_URI[sha256sum] = "0000000000000000000000000000000000000000000000000000000000000000"

DEPENDS:append:libc-musl = " argp-standalone"

inherit bash-completion ptest systemd

do_compile() {
    oe_runmake
}

do_install() {
    oe_runmake install DESTDIR=${D} prefix=${prefix} bindir=${bindir} mandir=${mandir} \
        libexecdir=${libexecdir}/realfeel confdir=${sysconfdir}/realfeel unitdir=${systemd_system_unitdir}
}

# A run every night, which does nothing until it is enabled.
SYSTEMD_SERVICE:${PN} = "realfeel@.service realfeel@.timer"
SYSTEMD_AUTO_ENABLE = "disable"
CONFFILES:${PN} = "${sysconfdir}/realfeel/night.conf"
FILES:${PN} += "${systemd_system_unitdir}"
RRECOMMENDS:${PN} += "${PN}-analyze"

# The analyzer is in Perl; the program alone needs the C library.
PACKAGES =+ "${PN}-analyze"
SUMMARY:${PN}-analyze = "Analyze, compare and draw real-time latency on Linux"
FILES:${PN}-analyze = "${bindir}/realfeel-analyze ${bindir}/realfeel-try ${datadir}/realfeel/lib \
                       ${datadir}/realfeel/man ${datadir}/realfeel/plots ${datadir}/realfeel/schema.json"
RDEPENDS:${PN}-analyze = "perl perl-modules"
RDEPENDS:${PN}-ptest += "${PN}-analyze"
