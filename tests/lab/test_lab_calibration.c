/* Readings under dead weights -> a calibration with its budget, through the store and its documents, and
 * back. */
#include "cb_json.h"
#include "lab_calibration_impl.h"
#include "storetest.h"

#define LOADS 5
#define CYCLES 3
#define POINTS (CYCLES * (2 * LOADS + 1) + 4)
#define SENSITIVITY 1.25 /* mV/V per N */
#define ZERO 0.05

typedef struct readings {
  cb_calibration_point p[POINTS];
  size_t n;
  double t_s[2], v[2];
} readings;

static void read_load(readings *r, int cycle, cb_calibration_direction way, int load) {
  double F = 0.5 * load, s = 10.0 * (double)r->n, value = ZERO + SENSITIVITY * F;
  r->p[r->n] = (cb_calibration_point){.step = (int)r->n + 1,
                                      .cycle = cycle,
                                      .direction = way,
                                      .mass_kg = F / 9.8,
                                      .force_N = F,
                                      .u_force_N = 1e-5 * F,
                                      .reading = value,
                                      .n = 2,
                                      .t_s = s,
                                      .raw = {.n = 2, .t_s = r->t_s, .v = r->v}};
  r->n++;
}

/* A cell without any fault. */
static void play(readings *r) {
  *r = (readings){.t_s = {0, 1}, .v = {1, 1}};
  for (int c = 1; c <= CYCLES; c++) {
    read_load(r, c, CB_CAL_ZERO, 0);
    for (int i = 1; i <= LOADS; i++) read_load(r, c, CB_CAL_UP, i);
    for (int i = LOADS - 1; i >= 1; i--) read_load(r, c, CB_CAL_DOWN, i);
    read_load(r, c, CB_CAL_ZERO, 0);
  }
}

static const lab_calibration_facts facts = {.origin = CB_VIRTUAL,
                                            .cell = "LC-1",
                                            .unit = "mV/V",
                                            .certificate = "W-7",
                                            .operator_name = "Ada",
                                            .valid_from = "2026-11-21",
                                            .valid_until = "2027-11-21",
                                            .temperature_degC = 21.5};

static lab_calibration make(readings *r) {
  lab_calibration c;
  play(r);
  const fit_calibration_input in = {.points = r->p,
                                    .n = r->n,
                                    .resolution = 1e-3,
                                    .k_weights = 2,
                                    .gravity_m_per_s2 = 9.8,
                                    .u_gravity_m_per_s2 = 1e-3,
                                    .air_density_kg_per_m3 = 1.2,
                                    .u_air_density_kg_per_m3 = 0.01,
                                    .weight_density_kg_per_m3 = 8000};
  assert_ok(lab_calibration_make(&in, &facts, &c, err));
  return c;
}

/* F = (reading - zero) 0.8 N per mV/V; the digit of 0.001 mV/V is 0.8 mN. */
static void a_sound_cell(void **state) {
  (void)state;
  readings r;
  lab_calibration c = make(&r);
  assert_near(c.row.slope_N_per_unit, 0.8, 1e-12);
  assert_near(c.row.sensitivity, SENSITIVITY, 1e-12);
  assert_near(c.row.intercept, ZERO, 1e-12);
  assert_near(c.row.resolution_N, 8e-4, 1e-12);
  assert_near(c.row.hysteresis_N, 0, 1e-12);
  assert_true(isnan(c.row.creep_N) && c.row.kind == CB_CALIBRATION_MEASURED && c.row.origin == CB_VIRTUAL &&
              c.row.id == 0);
  assert_string_equal(c.row.cell, "LC-1");
  assert_string_equal(c.row.valid_until, "2027-11-21");
  assert_true(c.budget.n_entries > 3 && c.budget.force_N == 2.5 && c.budget.u_rel == c.row.u_rel);
  /* Root sum of squares of the entries. */
  double sum = 0;
  for (size_t i = 0; i < c.budget.n_entries; i++) sum += c.budget.entry[i].u_N * c.budget.entry[i].u_N;
  assert_near(c.budget.at_full_scale.u, sqrt(sum), 1e-15);
  assert_near(c.budget.at_full_scale.U, c.budget.at_full_scale.k * sqrt(sum), 1e-15);
}

static void too_few_readings_are_refused(void **state) {
  (void)state;
  readings r;
  lab_calibration c;
  play(&r);
  const fit_calibration_input in = {.points = r.p, .n = 12};
  assert_fails(CB_E_RANGE, "cycle", lab_calibration_make(&in, &facts, &c, err));
}

static char *text_of(json_t *doc) {
  char *text = cb_json_text(doc);
  json_decref(doc);
  assert_non_null(text);
  return text;
}

static void the_budget_there_and_back(void **state) {
  (void)state;
  readings r;
  lab_calibration c = make(&r);
  lab_calibration_budget back;
  c.budget.entry[1].value = 1.0 / 3;
  c.budget.entry[1].dof = INFINITY;
  c.budget.at_full_scale.dof = INFINITY;
  char *text = text_of(lab_calibration_budget_json(&c.budget));
  assert_ok(lab_calibration_budget_read(text, &back, err));
  assert_true(back.n_entries == c.budget.n_entries && back.force_N == c.budget.force_N &&
              back.u_floor_N == c.budget.u_floor_N);
  assert_memory_equal(&back.at_full_scale, &c.budget.at_full_scale, sizeof back.at_full_scale);
  for (size_t i = 0; i < back.n_entries; i++) {
    const fit_budget_entry *a = &back.entry[i], *b = &c.budget.entry[i];
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->unit, b->unit);
    assert_string_equal(a->distribution, b->distribution);
    assert_true(a->type == b->type && a->value == b->value && a->divisor == b->divisor &&
                a->sensitivity == b->sensitivity);
    assert_true(a->u_N == b->u_N && a->dof == b->dof && a->in_proportion == b->in_proportion);
  }
  char *again = text_of(lab_calibration_budget_json(&back));
  assert_string_equal(again, text);
  free(text), free(again);
  lab_calibration_budget_clear(&back);
}

static void malformed_budgets_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } wrong[] = {
      {"{}", "entries: a list of 1 at least was wanted"},
      {"[]", "no JSON document"},
      {"{\"entries\": [1]}", "entries: objects were wanted"},
      {"{\"entries\": [{\"type\": \"C\"}]}", "type: A or B was wanted"},
      {"{\"entries\": {}}", "entries: a list of 11 at most was wanted"},
      {"{\"entries\": [{}], \"at_full_scale\": 1}", "at_full_scale: an object was wanted"},
      {"{\"entries\": [{}], \"at_full_scale\": {\"k\": \"2\"}}", "k: a number was wanted"},
      {"{\"entries\": [{},{},{},{},{},{},{},{},{},{},{},{}]}", "entries: a list of 11 at most was wanted"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    lab_calibration_budget b;
    assert_fails(CB_E_DB, wrong[i].sentence, lab_calibration_budget_read(wrong[i].text, &b, err));
    lab_calibration_budget_clear(&b);
  }
  lab_calibration_budget none;
  assert_ok(lab_calibration_budget_read("", &none, err));
  assert_true(none.n_entries == 0);
  assert_true(json_is_null(lab_calibration_budget_json(&none)));
}

static void stored_and_loaded(void **state) {
  store_fixture *f = *state;
  readings r;
  lab_calibration c = make(&r), back;
  assert_ok(lab_calibration_store(f->s, "bench", "name: bench\n", "weights: []\n", &c, err));
  assert_true(c.row.id > 0 && c.row.rig_id > 0);
  assert_ok(lab_calibration_load(f->s, c.row.id, &back, err));
  assert_true(back.row.slope_N_per_unit == c.row.slope_N_per_unit && back.row.u_rel == c.row.u_rel &&
              back.n_points == r.n);
  assert_true(back.points[3].force_N == r.p[3].force_N && back.points[3].reading == r.p[3].reading);
  assert_string_equal(back.row.rig_name, "bench");
  assert_memory_equal(&back.budget.at_full_scale, &c.budget.at_full_scale, sizeof c.budget.at_full_scale);
  /* The document of what was loaded is that of what was made, but for the time of storing. */
  memcpy(c.row.created_at, back.row.created_at, sizeof c.row.created_at);
  char *made = text_of(lab_calibration_json(&c)), *loaded = text_of(lab_calibration_json(&back));
  assert_string_equal(loaded, made);
  free(made), free(loaded);
  lab_calibration_clear(&back);
  assert_fails(CB_E_NOTFOUND, "no calibration 99", lab_calibration_load(f->s, 99, &back, err));
  lab_calibration_clear(&back);
}

static void a_damaged_budget_is_named(void **state) {
  store_fixture *f = *state;
  readings r;
  lab_calibration c = make(&r);
  assert_ok(lab_calibration_store(f->s, "bench", "name: bench\n", "", &c, err));
  store_edit_and_reseal(f->db, "UPDATE calibration SET budget_json = '{}'");
  assert_fails(CB_E_DB, "calibration 1: budget of a calibration: entries",
               lab_calibration_load(f->s, c.row.id, &c, err));
  lab_calibration_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_sound_cell),
                                     cmocka_unit_test(too_few_readings_are_refused),
                                     cmocka_unit_test(the_budget_there_and_back),
                                     cmocka_unit_test(malformed_budgets_are_refused),
                                     STORE_TEST(stored_and_loaded),
                                     STORE_TEST(a_damaged_budget_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
