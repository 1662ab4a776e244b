/* Lists that grow as items come. */
#ifndef CB_ARRAY_H
#define CB_ARRAY_H

#include <stddef.h>

/* Makes room for at least `wanted` items of item_bytes each. list may be NULL, with *capacity = 0. The
 * capacity at least doubles when it grows. Returns the list, which may have moved; the caller frees it with
 * free(). Returns NULL if memory runs out; the old list and *capacity are then unchanged. */
void *cb_array_grow(void *list, size_t *capacity, size_t wanted, size_t item_bytes);

#endif
