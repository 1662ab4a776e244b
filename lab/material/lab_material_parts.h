/* What rooms of lab/ share of a material, its specimens and its laws; private to lab/. */
#ifndef LAB_MATERIAL_PARTS_H
#define LAB_MATERIAL_PARTS_H

#include "cb_store_material_test.h"
#include "fit_figures.h"
#include "lab_cloth_laws.h"
#include "lab_first.h"
#include "lab_material.h"
#include "lab_specimen.h"
#include "sim_material.h"

/* Sets the areal density of *m to the mean of its tests, if it was not typed and tests have one. */
CB_CHECKED cb_status lab_material_weigh(cb_store *s, cb_material *m, cb_err *err);
/* Reads a material and its laws from the n bytes of a file. file is its name, for messages. Every law has
 * passed its own check. The caller calls exch_material_clear; after an error *m is empty. */
CB_CHECKED cb_status lab_material_read(const char *text, size_t n, const char *file, exch_material *m,
                                       cb_err *err);
/* Does the same for a file of ARCSim, which has no name for the cloth. name must be shorter than that of
 * cb_material. source: who measured it; NULL: the file. */
CB_CHECKED cb_status lab_material_read_arcsim(const char *text, size_t n, const char *file, const char *name,
                                              const char *source, exch_material *m, cb_err *err);

/* Stores a material from a file with its laws, within the caller's transaction. The origin `measured` becomes
 * `imported`. file is the source of laws that name none. */
CB_CHECKED cb_status lab_material_put(cb_store *s, const char *file, exch_material *m, cb_err *err);

/* A specimen as part of a document. Returns NULL without memory. The caller calls json_decref. */
json_t *lab_specimen_facts_json(const cb_specimen *p);

/* lab_first_words of a law of stretch or bending as it is stored. */
char *lab_first_words_of(const cb_material_law *law, char out[LAB_FIRST_WORDS]);

/* Finds the cloth; an areal density that was not typed is the mean of the tests. Error: CB_E_NOTFOUND, whose
 * message lists the cloths. */
CB_CHECKED cb_status lab_cloth_facts(cb_store *s, const char *name, cb_material *out, cb_err *err);

/* Makes the curve of one axis from tested curves or from an imported table. Error: CB_E_NOTFOUND if the law
 * lacks it; the message says what would provide it. */
CB_CHECKED cb_status lab_cloth_curve(const cb_stretch_law *law, cb_stretch_axis axis, sim_curve *out,
                                     cb_err *err);

typedef struct lab_curve_figures {
  cb_material_test *tests; /* owned; by id */
  fit_figures *figures;    /* owned; one per test */
  size_t n;
} lab_curve_figures;

/* Reads and reduces the tests of a cloth of that kind; origin: a cb_origin, to take only its tests, or -1.
 * Without tests n is 0. The caller calls lab_curve_figures_clear, even after an error. */
CB_CHECKED cb_status lab_curve_figures_load(cb_store *s, int64_t material_id, cb_test_kind kind, int origin,
                                            lab_curve_figures *out, cb_err *err);
void lab_curve_figures_clear(lab_curve_figures *c);

/* The mean of a figure (index in fit_figure_names) over the tests that are like one of them in direction and
 * origin; over all tests if like is NULL. */
CB_CHECKED cb_status lab_curve_figures_mean(const lab_curve_figures *c, const cb_material_test *like,
                                            size_t figure, fit_figure_mean *out, cb_err *err);
bool lab_curve_figures_alike(const cb_material_test *a, const cb_material_test *b);

#endif
