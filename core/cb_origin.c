#include "cb_origin.h"

#include <stddef.h>

const char *const cb_origin_names[] = {"measured", "imported", "virtual", "simulated", NULL};
