#include "cb_material.h"

#include <stddef.h>

const char *const cb_material_kind_names[] = {"cloth", "body", NULL};
