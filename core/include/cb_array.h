/* Lists that grow as items come. */
#ifndef CB_ARRAY_H
#define CB_ARRAY_H

#include <stddef.h>

/* Makes room for at least `wanted` items. The capacity at least doubles when it grows. Returns the list, which may have moved and replaces
 * the old one; NULL: there is no memory, and the old list and *capacity stay as they were. Caller: free. */
void *cb_array_grow(void *list, size_t *capacity, size_t wanted, size_t item_bytes);

#endif
