#include "cb_version.h"

const char *cb_version(void) { return CB_PROGRAM_VERSION; }
