#ifndef SWP_HOME_IMPL_H
#define SWP_HOME_IMPL_H

#include "swp_home.h"

/* Returns out with the path of a file of the folder. */
const char *swp_home_path(const swp_home *home, const char *name, char out[SWP_HOME_BYTES + 64]);

typedef cb_status swp_file_use(const swp_home *home, const char *path, void *context, cb_err *err);
/* Calls `use` with the path of each file of rows, results.db first, then the shards by name. */
CB_CHECKED cb_status swp_home_each_file(const swp_home *home, swp_file_use *use, void *context, cb_err *err);

#endif
