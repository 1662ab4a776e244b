#include "cb_array.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_CAPACITY 16

void *cb_array_grow(void *list, size_t *capacity, size_t wanted, size_t item_bytes) {
  if (wanted <= *capacity) return list;
  size_t more = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
  if (more < wanted) more = wanted;
  if (more > SIZE_MAX / 2 / item_bytes) return NULL;
  void *grown = realloc(list, more * item_bytes);
  if (grown) *capacity = more;
  return grown;
}
