/* Compression of a cloth: from its tests in the store, by fit_compression, to a law in the store; and what a
 * stored law says. docs/method/compression.md has the method. Nothing here prints. */
#ifndef LAB_COMPRESSION_H
#define LAB_COMPRESSION_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_compression.h"

/* A law with the results of its fit; the law is valid if fit.outcome is FIT_COMPRESSION_OK. */
typedef struct lab_compression {
  char material[64];
  fit_compression_result fit;
} lab_compression;

/* Fits the tests of the cloth of that name (NULL: of every cloth that was tested) and stores the laws, in
 * one transaction. Another outcome than FIT_COMPRESSION_OK is no error and stores nothing. The caller frees
 * *list. Errors: CB_E_NOTFOUND without tests; CB_E_RANGE for real and virtual tests together. */
CB_CHECKED cb_status lab_compression_fit_all(cb_store *s, const char *cloth, lab_compression **list,
                                             size_t *n, cb_err *err);

/* Makes one element of `laws` of docs/reference/json, "fit compression", which is stored and printed by
 * --json. Returns NULL without memory. The caller calls json_decref. */
json_t *lab_compression_json(const lab_compression *r);

/* The thickness of some layers at a pressure. */
typedef struct lab_compression_answer {
  int layers;
  double pressure_Pa;
  double thickness_m, u_thickness_m;
  double low_m, high_m;             /* 95 % interval of the cloth's mean */
  double piece_low_m, piece_high_m; /* of layers of one further piece */
  double steepness, dof;            /* see cb_compression_value */
  bool inside_measured_range;
} lab_compression_answer;
lab_compression_answer lab_compression_at(const cb_compression_law *law, double pressure_Pa, int layers);
/* Makes the document of docs/reference/json, "predict compression". Returns NULL without memory. The caller
 * calls json_decref. */
json_t *lab_compression_answer_json(const cb_compression_law *law, const lab_compression_answer *a);

#endif
