/* Allocation failure (alloctest.h) in workflows of lab/: judging a stack and a strip of the reference
 * database, reading a KES sheet. */
#include <jansson.h>

#include "alloctest.h"
#include "lab_kes.h"
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts), cmocka_unit_test(sheet)};
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
