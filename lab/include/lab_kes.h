/* KES summary sheets: a table with a row for every cloth -> facts, laws of stretch and bending, a typed drape
 * coefficient, a coefficient of friction, figures that no law is made of. docs/guide/import.md lists what a
 * mapping may give. */
#ifndef LAB_KES_H
#define LAB_KES_H

#include "cb_drape_test.h"
#include "cb_material_figure.h"
#include "cb_store.h"
#include "exch_material.h"
#include "fit_table.h"
#include "lab_import.h"

#define LAB_KES_FIGURES 9

typedef struct lab_kes_cloth {
  exch_material material; /* owned */
  bool thickness_is_t0;   /* another one, if the store has it, goes before */
  bool has_drape;
  cb_drape_test drape;
  double miu, u_miu; /* coefficient of friction of the surface tester; NAN: not given */
  char probe[64];    /* the body of miu */
  cb_material_figure figures[LAB_KES_FIGURES];
  size_t n_figures;
} lab_kes_cloth;

typedef struct lab_kes {
  fit_table *table;      /* owned */
  lab_kes_cloth *cloths; /* owned */
  size_t n;
} lab_kes;

/* Reads a sheet and stores its cloths. Errors say file:line, column, value, what was wanted. What another
 * fact or source contradicts is refused (cb_store_material_learn). The caller calls lab_kes_clear, also after
 * a failure. */
CB_CHECKED cb_status lab_import_kes(const lab_import *q, lab_kes *out, cb_err *err);
void lab_kes_clear(lab_kes *k);

#endif
