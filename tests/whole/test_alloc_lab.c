/* Allocation failure (alloctest.h) in workflows of lab/: judging a stack and a strip of the reference
 * database, reading a KES sheet. */
#include <jansson.h>

#include "alloctest.h"
#include "lab_card.h"
#include "lab_import_parts.h"
#include "lab_material.h"
#include "lab_stack.h"
#include "lab_strip.h"

#define SHIPPED CB_SOURCE_DIR "/materials.db"

/* jansson calls a document bad where it had no memory for a word of it. */
static void *unfailing(size_t n) { return at_counted(__real_malloc(n)); }

static int set_up(void **state) {
  json_set_alloc_funcs(unfailing, free);
  return cbt_folder_set_up(state);
}

/* ---- verdicts ---- */

static cb_status judge_stack(void *context, cb_err *err) {
  lab_layers layers = {.n = 0};
  lab_stack k = {.n = 0};
  CB_TRY(lab_layers_add_word(context, "White Filti (nW11)", &layers, err));
  CB_TRY(lab_layers_add_word(context, "Flannel (W4)", &layers, err));
  const cb_status st = lab_stack_judge(context, &layers, "White Filti & Flannel (Combo D)", &k, err);
  if (st == CB_OK) assert_true(k.pass && k.n >= 2);
  lab_stack_clear(&k);
  return st;
}

static cb_status judge_strip(void *context, cb_err *err) {
  const lab_stretch_request q = {
      .cloth = "Laminated nylon", .origin = LAB_ANY_ORIGIN, .opt = fit_stretch_options_default()};
  lab_strip r = {.n_tests = 0};
  const cb_status st = lab_strip_judge(context, &q, 75, &r, err);
  if (st == CB_OK) assert_true(r.pass && r.n_tests > 0);
  lab_strip_clear(&r);
  return st;
}

/* A store that is open meanwhile: what it holds for itself is not counted. */
static void verdicts(void **state) {
  (void)state;
  cb_store *s;
  assert_ok(cb_store_open(SHIPPED, CB_STORE_READ, &s, err));
  assert_true(at_sweep(judge_stack, s) > 0);
  assert_true(at_sweep(judge_strip, s) > 20);
  assert_ok(cb_store_close(s, err));
}

/* ---- a sheet ---- */

static cb_status read_sheet(void *context, cb_err *err) {
  (void)context;
  lab_kes k;
  const cb_status st = lab_kes_read(CB_SOURCE_DIR "/materials/tables/petrak2025_kes.yaml",
                                    CB_SOURCE_DIR "/materials/tables/petrak2025_kes.csv", &k, err);
  if (st == CB_OK) assert_int_equal(k.n, 3);
  lab_kes_clear(&k);
  return st;
}

static void sheet(void **state) {
  (void)state;
  assert_true(at_sweep(read_sheet, NULL) > 5);
}

/* Every column, into a store, and out again on the card of the cloth. */
static const char mapping[] =
    "kind: kes\nsource: us\ncolumns:\n  material: {column: m}\n  em_warp: {column: a, unit: \"1\"}\n"
    "  em_weft: {column: a, unit: \"1\"}\n  lt_warp: {column: b, unit: \"1\"}\n"
    "  wt_weft: {column: c, unit: J/m2}\n  miu: {column: b, unit: \"1\"}\n  mmd: {column: a, unit: \"1\"}\n"
    "  shear_hysteresis: {column: b, unit: N/m}\n  t0: {column: b, unit: mm}\n";
static const char sheets[] = "m,a,b,c\nX,0.05,0.7,8\nY,0.06,0.8,9\n";
static const char shear_mapping[] =
    "kind: shear\nsource: us\ncolumns:\n  material: {value: X}\n  shear_angle: {column: a, unit: deg}\n"
    "  force_per_width: {column: F, unit: N/m}\n";
static const char shear[] = "a,F\n0,0\n0.5,1\n1,2\n1.5,3\n2,4\n2.5,5\n2,3\n1,1\n0,-1\n";

typedef struct paths {
  char mapping[400], sheet[400], shear_mapping[400], shear[400], db[400];
  bool keep; /* the database of before */
} paths;

static cb_status open_store(const paths *p, cb_store **s, cb_err *err) {
  if (!p->keep) (void)unlink(p->db);
  return cb_store_open(p->db, CB_STORE_WRITE, s, err);
}

static cb_status store_sheet(void *context, cb_err *err) {
  const paths *p = context;
  lab_kes k;
  cb_store *s = NULL;
  cb_status st = lab_kes_read(p->mapping, p->sheet, &k, err);
  if (st == CB_OK) st = open_store(p, &s, err);
  if (st == CB_OK) st = lab_kes_store(s, p->sheet, &k, err);
  const cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  lab_kes_clear(&k);
  return st == CB_OK ? closed : st;
}

static cb_status store_shear(void *context, cb_err *err) {
  const paths *p = context;
  lab_material_tests t;
  cb_store *s = NULL;
  cb_status st = lab_material_tests_read(p->shear_mapping, p->shear, CB_TEST_SHEAR, &t, err);
  if (st == CB_OK) st = open_store(p, &s, err);
  if (st == CB_OK) st = lab_material_tests_store(s, p->shear, &t, err);
  const cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  lab_material_tests_clear(&t);
  return st == CB_OK ? closed : st;
}

static cb_status make_card(void *context, cb_err *err) {
  exch_material m;
  lab_card card = {.n = 0};
  CB_TRY(lab_material_load(context, "X", &m, err));
  const cb_status st = lab_card_make(context, &m, &card, err);
  if (st == CB_OK) assert_int_equal(card.n_sections, 4); /* facts, stretch, shear, stated figures */
  lab_card_clear(&card);
  exch_material_clear(&m);
  return st;
}

static void figures(void **state) {
  (void)state;
  static paths p;
  cb_store *s;
  cbt_write(cbt_path("map.yaml", p.mapping), mapping);
  cbt_write(cbt_path("kes.csv", p.sheet), sheets);
  cbt_write(cbt_path("shear.yaml", p.shear_mapping), shear_mapping);
  cbt_write(cbt_path("shear.csv", p.shear), shear);
  (void)cbt_path("lab.db", p.db);
  assert_true(at_sweep(store_sheet, &p) > 20);
  assert_true(at_sweep(store_shear, &p) > 20);
  p.keep = true;
  assert_ok(store_sheet(&p, err));
  assert_ok(cb_store_open(p.db, CB_STORE_READ, &s, err));
  assert_true(at_sweep(make_card, s) > 10);
  assert_ok(cb_store_close(s, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts), cmocka_unit_test(sheet),
                                     cmocka_unit_test(figures)};
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
