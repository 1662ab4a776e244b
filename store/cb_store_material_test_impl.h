/* Private to store/. */
#ifndef CB_STORE_MATERIAL_TEST_IMPL_H
#define CB_STORE_MATERIAL_TEST_IMPL_H

#include "cb_store_material_test.h"

/* Lists all laws by id, old ones included. The caller frees the list with cb_material_laws_free. */
CB_CHECKED cb_status cb_store_material_laws(cb_store *s, cb_material_law **list, size_t *n, cb_err *err);

void cb_material_laws_free(cb_material_law *list, size_t n);

#endif
