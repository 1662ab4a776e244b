/* Private to api/: the handles, and what its files share. */
#ifndef API_IMPL_H
#define API_IMPL_H

#include <jansson.h>

#include "cb_bending_loading.h"
#include "cb_compression_law.h"
#include "cb_permeability_law.h"
#include "cb_self_friction_law.h"
#include "cb_store.h"
#include "cb_stretch_law.h"
#include "clothbench.h"

struct clothbench_database {
  cb_store *store;
  bool writable;
};

struct clothbench_law {
  clothbench_kind kind;
  char cloth[64], body[64];
  cb_origin origin;
  bool drawn; /* it has no uncertainty */
  union {
    cb_friction_law friction;
    cb_self_friction_law self;
    cb_stretch_law stretch;
    cb_permeability_law air;
    cb_compression_law compression;
    struct {
      cb_bending_law law;
      double weight_N_per_m2;     /* of the cloth; 0: unknown */
      cb_bending_loading loading; /* of a law of slopes; of another: all 0 */
    } bending;
  } of;
};

/* The sentence of an error in the caller's struct, and the status. */
static inline cb_err *api_err(clothbench_error *error) {
  _Static_assert(sizeof(clothbench_error) == sizeof(cb_err), "one sentence");
  return (cb_err *)error;
}
static inline clothbench_status api_status(cb_status st) { return (clothbench_status)st; }

/* Writes a document as a text and releases it; NULL: it was not made for want of memory. */
clothbench_status api_json(json_t *document, char **text, clothbench_error *error);

/* Returns the place of a word in a list of n words; n, after a sentence, if it is none of them. */
size_t api_find_word(const char *word, const char *what, const char *(*name)(size_t i), size_t n,
                     clothbench_error *error);

#endif
