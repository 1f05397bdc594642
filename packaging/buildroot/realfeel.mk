################################################################################
#
# realfeel
#
################################################################################

REALFEEL_VERSION = 0.3
REALFEEL_SITE = https://realfeel.invalid/releases/download/v$(REALFEEL_VERSION)
REALFEEL_LICENSE = GPL-2.0+
REALFEEL_LICENSE_FILES = COPYING

ifeq ($(BR2_PACKAGE_ARGP_STANDALONE),y)
REALFEEL_DEPENDENCIES += argp-standalone $(TARGET_NLS_DEPENDENCIES)
endif

define REALFEEL_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(TARGET_CONFIGURE_OPTS) -C $(@D) realfeel
endef

define REALFEEL_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(TARGET_CONFIGURE_OPTS) -C $(@D) \
		DESTDIR="$(TARGET_DIR)" prefix=/usr install-program
endef

$(eval $(generic-package))
