/* The tables of `validate`: a table fails by one row, every experiment's rows carry the tolerance of its
 * header, the truth of a row. */
#include "cb_num.h"
#include "cbtest.h"
#include "val_buckling.h"
#include "val_cantilever.h"
#include "val_frame.h"
#include "val_incline.h"
#include "val_table_impl.h"
#include "val_tension.h"
#include "val_wind.h"

static val_table table;

static void one_row_that_is_off_fails_the_table(void **state) {
  (void)state;
  table.n = 0;
  assert_true(val_table_passes(&table)); /* nothing was compared, nothing is off */
  for (int k = 0; k < VAL_TABLE_MAX; k++) {
    val_table_add(&table, (val_row){"test", .pass = true, .seconds = 0.5}, "row %d", k);
  }
  assert_true(val_table_passes(&table));
  assert_near(val_table_seconds(&table), 0.5 * VAL_TABLE_MAX, 1e-12);
  for (int k = 0; k < VAL_TABLE_MAX; k += 37) {
    table.row[k].pass = false;
    assert_false(val_table_passes(&table));
    table.row[k].pass = true;
  }
  assert_string_equal(table.row[191].what, "row 191");
}

static void a_long_name_is_cut(void **state) {
  (void)state;
  table.n = 0;
  val_table_add(&table, (val_row){"test"}, "%0200d", 7);
  assert_int_equal(strlen(table.row[0].what), sizeof table.row[0].what - 1);
}

static void rows_are_appended_in_order(void **state) {
  (void)state;
  static val_table more;
  table.n = more.n = 0;
  val_table_add(&table, (val_row){"a"}, "first");
  val_table_add(&more, (val_row){"b"}, "second");
  val_table_add(&more, (val_row){"b"}, "third");
  val_table_append(&table, &more);
  assert_int_equal(table.n, 3);
  assert_string_equal(table.row[0].what, "first");
  assert_string_equal(table.row[2].what, "third");
  assert_string_equal(table.row[2].experiment, "b");
}

/* error, allowed and pass of a row follow from its two numbers. */
static void expect_rows(cb_status (*add)(val_table *, cb_err *), const char *experiment, int n,
                        double allowed) {
  table.n = 0;
  assert_ok(add(&table, err));
  assert_int_equal(table.n, n);
  for (int k = 0; k < n; k++) {
    const val_row *r = &table.row[k];
    assert_string_equal(r->experiment, experiment);
    assert_true(r->allowed == allowed);
    assert_true(r->pass && fabs(r->error) <= r->allowed);
    assert_near(r->predicted / r->reference - 1, r->error, 1e-3 * allowed);
  }
  assert_true(val_table_passes(&table));
}

static void strips_agree_with_closed_forms(void **state) {
  (void)state;
  expect_rows(val_table_cantilever, "cantilever", 17, VAL_CANTILEVER_TOLERANCE);
  expect_rows(val_table_frame, "picture-frame", 2, VAL_FRAME_TOLERANCE);
}

/* A closed case in a wind u against kappa at 200 Pa: what comes in on one side leaves on the other. */
static void wind_goes_through(void **state) {
  (void)state;
  expect_rows(val_table_wind, "wind", 1, VAL_WIND_TOLERANCE);
  assert_true(table.row[0].predicted > 0);
}

/* Light and heavy: 1/4 to 4 of the areal mass in pairs, every second on a finer mesh. */
static void releases_go_from_light_to_heavy(void **state) {
  (void)state;
  val_incline e = val_incline_default();
  e.vertices = 100;
  for (int k = 0; k < VAL_RELEASES; k++) {
    val_incline one = val_incline_release_case(&e, k);
    assert_near(one.material.areal_density_kg_per_m2, 0.15 * pow(2, k / 2 - 2), 1e-15);
    assert_int_equal(one.vertices, k % 2 ? 400 : 100);
  }
}

static void every_experiment_has_a_name_of_its_own(void **state) {
  (void)state;
  for (int i = 0; i < VAL_EXPERIMENTS; i++) {
    assert_true(val_experiments[i].name && val_experiments[i].add);
    for (int k = 0; k < i; k++) assert_string_not_equal(val_experiments[i].name, val_experiments[k].name);
  }
}

/* What cannot be played is an error with its sentence, and no row. */
static void a_sheet_that_is_none_is_refused(void **state) {
  (void)state;
  val_sheet e = val_sheet_default();
  e.friction = (sim_friction){.kinetic_law = &val_table_sheet_law};
  e.areal_density_kg_per_m2 = -1;
  table.n = 0;
  assert_int_not_equal(val_table_sheet(&table, &e, NULL), CB_OK);
  assert_int_equal(table.n, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_row_that_is_off_fails_the_table),
      cmocka_unit_test(a_long_name_is_cut),
      cmocka_unit_test(rows_are_appended_in_order),
      cmocka_unit_test(strips_agree_with_closed_forms),
      cmocka_unit_test(wind_goes_through),
      cmocka_unit_test(releases_go_from_light_to_heavy),
      cmocka_unit_test(every_experiment_has_a_name_of_its_own),
      cmocka_unit_test(a_sheet_that_is_none_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
