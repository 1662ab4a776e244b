/* The chain of the virtual laboratory without rig, drapes and command line: instruments write files, which
 * are imported, fitted, compared with the truth, and judged. A bench and a test play it for many seeds. */
#ifndef VLAB_CHAIN_H
#define VLAB_CHAIN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cb_store_material_test.h"
#include "cb_law_json.h"
#include "lab_bending.h"
#include "lab_friction.h"
#include "lab_import_parts.h"
#include "lab_stack.h"
#include "lab_strip.h"
#include "vlab.h"

enum { CHAIN_STRETCH, CHAIN_BENDING, CHAIN_AIR, CHAIN_WEIGHED, CHAIN_PROPERTIES };
static const char *const chain_names[] = {"stretch", "bending", "air", "weight, thickness"};

typedef struct chain_result {
  vlab_tally tally[CHAIN_PROPERTIES];
  double stack_en, strip_en;
} chain_result;

static inline cb_status chain_import(cb_store *s, cb_test_kind kind, const char *mapping, const char *file,
                                     cb_err *err) {
  char path[400];
  lab_material_tests t;
  (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/rigs/import/demo_%s.yaml", mapping);
  cb_status st = lab_material_tests_read(path, file, kind, &t, err);
  if (st == CB_OK) st = lab_material_tests_store(s, file, &t, err);
  lab_material_tests_clear(&t);
  return st;
}

static inline cb_status chain_fit(cb_store *s, const vlab *lab, cb_err *err) {
  const lab_stretch_request q = {
      .cloth = lab->cloth, .origin = LAB_ANY_ORIGIN, .opt = fit_stretch_options_default()};
  const lab_bending_request b = {.cloth = lab->cloth, .origin = LAB_ANY_ORIGIN, .test = -1};
  lab_stretch stretch;
  lab_bending bending;
  lab_permeability *air = NULL;
  size_t n;
  cb_status st = lab_stretch_fit(s, &q, &stretch, err);
  lab_stretch_clear(&stretch);
  if (st == CB_OK) st = lab_bending_fit(s, &b, &bending, err);
  if (st == CB_OK) st = lab_permeability_fit_all(s, lab->cloth, NULL, &air, &n, err);
  if (st == CB_OK) lab_permeabilities_free(air, n);
  return st;
}

static inline cb_status chain_compare(cb_store *s, const vlab *lab, chain_result *out, cb_err *err) {
  static cb_stretch_law stretch; /* 20 KB */
  cb_bending_law bending;
  cb_permeability_law air;
  cb_material_law row = {.result_json = NULL};
  const vlab_weighed w = vlab_weigh(lab);
  CB_TRY(cb_store_law_of(s, CB_LAW_STRETCH, lab->cloth, &stretch, NULL, err));
  CB_TRY(cb_store_law_of(s, CB_LAW_BENDING, lab->cloth, &bending, &row, err));
  free(row.result_json);
  CB_TRY(cb_store_law_of(s, CB_LAW_PERMEABILITY, lab->cloth, &air, NULL, err));
  out->tally[CHAIN_STRETCH] = vlab_check_stretch(lab, &stretch);
  out->tally[CHAIN_BENDING] = vlab_check_bending(lab, &bending);
  out->tally[CHAIN_AIR] = vlab_check_air(lab, &air);
  out->tally[CHAIN_WEIGHED] = vlab_check_weighed(lab, &w);
  return CB_OK;
}

static inline cb_status chain_judge(cb_store *s, const vlab *lab, chain_result *out, cb_err *err) {
  static lab_layers layers; /* 8 KB */
  const lab_stretch_request q = {
      .cloth = lab->cloth, .origin = LAB_ANY_ORIGIN, .opt = fit_stretch_options_default()};
  char word[80], name[80];
  lab_stack stack;
  lab_strip strip;
  layers.n = 0;
  (void)snprintf(word, sizeof word, "%s*2", lab->cloth);
  vlab_stack_name(lab, 2, name);
  CB_TRY(lab_layers_add_word(s, word, &layers, err));
  cb_status st = lab_stack_judge(s, &layers, name, &stack, err);
  out->stack_en = stack.worst_en;
  lab_stack_clear(&stack);
  CB_TRY(st);
  st = lab_strip_judge(s, &q, lab->have.judged_angle_deg, &strip, err);
  out->strip_en = strip.worst_en;
  lab_strip_clear(&strip);
  return st;
}

typedef struct chain_files {
  char strips[300], oblique[300], bends[300], air[300], stacks[300], db[300], judged[300];
} chain_files;

static inline cb_status chain_lay_down(cb_store *s, const vlab *lab, const chain_files *f, chain_result *out,
                                       cb_err *err) {
  CB_TRY(chain_import(s, CB_TEST_STRETCH, "strips", f->strips, err));
  CB_TRY(chain_import(s, CB_TEST_BENDING_MOMENT, "bending", f->bends, err));
  CB_TRY(chain_import(s, CB_TEST_PERMEABILITY, "air", f->air, err));
  CB_TRY(chain_fit(s, lab, err));
  return chain_compare(s, lab, out, err);
}

/* The laws of a laboratory, in a folder whose files it overwrites: those of chain.db against the truth. */
static inline cb_status chain_begin(const vlab *lab, const char *folder, chain_files *f, chain_result *out,
                                    cb_err *err) {
  cb_store *s;
  const struct {
    char *path;
    const char *name;
  } files[] = {{f->strips, "strips.csv"}, {f->oblique, "oblique.csv"}, {f->bends, "bends.tsv"},
               {f->air, "air.csv"},       {f->stacks, "stacks.csv"},   {f->db, "chain.db"},
               {f->judged, "judged.db"}};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    (void)snprintf(files[i].path, sizeof f->db, "%s/%s", folder, files[i].name);
  (void)unlink(f->db);
  *out = (chain_result){.stack_en = 0};
  CB_TRY(vlab_strips(lab, f->strips, err));
  CB_TRY(vlab_bends(lab, f->bends, err));
  CB_TRY(vlab_airs(lab, 1, f->air, err));
  CB_TRY(cb_store_open(f->db, CB_STORE_WRITE, &s, err));
  const cb_status st = chain_lay_down(s, lab, f, out, err);
  (void)cb_store_close(s, NULL);
  return st;
}

static inline cb_status chain_confront(cb_store *s, const vlab *lab, const chain_files *f, chain_result *out,
                                       cb_err *err) {
  CB_TRY(chain_import(s, CB_TEST_STRETCH, "strips", f->oblique, err));
  CB_TRY(chain_import(s, CB_TEST_PERMEABILITY, "air", f->stacks, err));
  return chain_judge(s, lab, out, err);
}

/* What `judged` measures against the laws, in a copy of chain.db. */
static inline cb_status chain_end(const vlab *lab, const vlab *judged, const chain_files *f,
                                  chain_result *out, cb_err *err) {
  cb_store *s;
  char command[700];
  (void)snprintf(command, sizeof command, "cp '%s' '%s'", f->db, f->judged);
  if (system(command) != 0) return cb_fail(err, CB_E_IO, "%s could not be copied", f->db);
  CB_TRY(vlab_judged_strips(judged, f->oblique, err));
  CB_TRY(vlab_airs(judged, 2, f->stacks, err));
  CB_TRY(cb_store_open(f->judged, CB_STORE_WRITE, &s, err));
  const cb_status st = chain_confront(s, lab, f, out, err);
  (void)cb_store_close(s, NULL);
  return st;
}

#endif
