/* A specimen with its log and its runs, as a document or for a card. */
#ifndef LAB_SPECIMEN_H
#define LAB_SPECIMEN_H

#include <jansson.h>

#include "cb_store_specimen.h"

typedef struct lab_specimen_card {
  cb_specimen facts;
  cb_specimen_entry *entries; /* owned; by time */
  size_t n_entries;
  size_t n_runs, n_done;
} lab_specimen_card;

/* A specimen as a person types it; NULL or NAN: not given. */
typedef struct lab_specimen_typed {
  const char *name, *lot, *side, *note, *operator_name;
  const char *cut; /* "warp", "weft", "bias" (45 degrees), or degrees from the warp */
  double washes;
} lab_specimen_typed;
/* Reads what was typed into *p; its cloth_id is left to the caller. Error: CB_E_ARG. */
CB_CHECKED cb_status lab_specimen_read(const lab_specimen_typed *typed, cb_specimen *p, cb_err *err);
/* Fills in the text of an entry and who writes it. Error: CB_E_ARG. */
CB_CHECKED cb_status lab_specimen_entry(const char *note, const char *operator_name, cb_specimen_entry *e,
                                        cb_err *err);

/* "Twill, lot B, face, cut warp, 3 washes" */
void lab_specimen_text(const cb_specimen *p, char out[256]);

/* Reads a specimen by name or mark. The caller calls lab_specimen_clear, even after an error. Errors: those
 * of cb_store_specimen_find. */
CB_CHECKED cb_status lab_specimen_load(cb_store *s, const char *name, lab_specimen_card *out, cb_err *err);
void lab_specimen_clear(lab_specimen_card *p);

/* Returns NULL without memory. The caller calls json_decref. */
json_t *lab_specimen_json(const lab_specimen_card *p);

#endif
