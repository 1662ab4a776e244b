/* Two labs' files become one: nothing twice, nothing lost, nothing changed where they contradict each
 * other. */
#include "cb_store_drape.h"
#include "storeshape.h"
#include "cb_store_figure.h"
#include "cb_store_specimen.h"
#include "cb_store_material_test.h"
#include "cb_store_file.h"
#include "cb_store_self_friction.h"
#include "storelab.h"
#include "storelaws.h"
#include "jsonpage.h"

/* A second file beside the first; the two have no row in common. */
typedef struct two_labs {
  store_lab *here, *there;
} two_labs;

static int set_up(void **state) {
  two_labs *l = calloc(1, sizeof *l);
  assert_non_null(l);
  void *one, *two;
  store_lab_set_up(&one);
  store_lab_set_up(&two);
  l->here = one, l->there = two;
  *state = l;
  return 0;
}

static int tear_down(void **state) {
  two_labs *l = *state;
  void *one = l->here, *two = l->there;
  store_lab_tear_down(&one);
  store_lab_tear_down(&two);
  free(l);
  return 0;
}

/* Sentences, joined. */
static char said[4000];

static void note(void *context, const char *sentence) {
  size_t n = strlen(said);
  (void)context;
  (void)snprintf(said + n, sizeof said - n, "%s\n", sentence);
}

static cb_merge_result merge_from(two_labs *l) {
  cb_merge_result r;
  said[0] = '\0';
  assert_ok(cb_store_merge(l->here->store, l->there->db, note, NULL, &r, err));
  assert_ok(cb_store_check(l->here->store, NULL, err));
  return r;
}

/* Everything that a run can have, so that every table has a row. */
static int64_t full_run(store_lab *l, unsigned seed) {
  int64_t id = store_lab_run(l, seed, 3000, CB_RUN_RUNNING);
  double t[5] = {4, 5, 6, 7, 8}, v[5] = {1, 2, 3, 4, 5};
  cb_run_zero z = {.run_id = id, .mean = 0.1, .sd = 0.01, .n = 7, .t_s = 0.5};
  cb_run_channel c = {.run_id = id,
                      .channel = CB_CHANNEL_POSITION,
                      .device = "b",
                      .conversion = "none",
                      .c = {0, 1},
                      .scale = 1};
  cb_friction_point p = {.run_id = id,
                         .static_N = NAN,
                         .u_static_N = NAN,
                         .kinetic_N = 0.3 + 0.01 * seed,
                         .u_kinetic_N = 0.001,
                         .mu_reported = NAN,
                         .method = "m"};
  cb_friction_law law = {.kind = CB_FRICTION_KINETIC,
                         .origin = CB_MEASURED,
                         .contact_area_m2 = 1,
                         .n_knots = 1,
                         .exponent = 1,
                         .dof = 5};
  law.knots[0] = (cb_friction_knot){.normal_force_N = 1, .f_N = {0.3, 0, 0.3}};
  for (int i = 0; i < 3; i++) law.knots[0].cov_N2[i][i] = 1e-6;
  assert_ok(cb_store_samples_append(l->store, id, CB_CHANNEL_POSITION, 0, 5, t, v, err));
  assert_ok(cb_store_run_zero_put(l->store, &z, err));
  const cb_run_stroke stroke = {.run_id = id, .first = 10, .n = 20, .direction = -1};
  assert_ok(cb_store_run_channel_put(l->store, &c, err));
  assert_ok(cb_store_run_stroke_put(l->store, &stroke, err));
  assert_ok(cb_store_event_put(l->store, l->like.campaign_id, id, 1, "pull", "said twice", err));
  assert_ok(cb_store_event_put(l->store, l->like.campaign_id, id, 1, "pull", "said twice", err));
  assert_ok(cb_store_run_finish(l->store, id, CB_RUN_DONE, "", err));
  assert_ok(cb_store_point_put(l->store, &p, err));
  assert_ok(cb_store_point_detail_put(l->store, p.id, "{\"verdict\": \"flat\"}", err));
  assert_ok(cb_store_law_put(l->store, &law, l->like.cloth_id, l->like.body_id, &p.id, 1, "wls", "{}", err));
  cb_self_friction_row self = {.cloth_id = l->like.cloth_id,
                               .body_id = l->like.body_id,
                               .form = "mean",
                               .origin = CB_MEASURED,
                               .result_json = store_law_self_friction()};
  assert_ok(cb_store_self_friction_put(l->store, &self, &p.id, 1, err));
  free(self.result_json);
  cb_validation val = {.experiment = "slide",
                       .run_id = id,
                       .law_kinetic_id = law.id,
                       .pass = true,
                       .worst_en = 0.5,
                       .result_json = (char[]){"{}"}};
  assert_ok(cb_store_validation_put(l->store, &val, err));
  return id;
}

/* And everything that a cloth or a body can have by itself. */
static void full_tests(store_lab *l) {
  const cb_test_point p[2] = {{1, 0.2}, {3, 0.4}};
  for (int kind = 0; cb_test_kind_names[kind]; kind++) {
    cb_material_test t = {.material_id = l->like.cloth_id,
                          .kind = (cb_test_kind)kind,
                          .direction_deg = NAN,
                          .repeat = 1,
                          .layers = 1,
                          .temperature_degC = NAN,
                          .origin = CB_MEASURED};
    assert_ok(cb_store_test_put(l->store, &t, p, 2, "", "", err));
    if (kind == CB_TEST_CANTILEVER || kind >= CB_TEST_SHEAR) continue;
    cb_material_law law = {
        .material_id = t.material_id,
        .kind = kind == CB_TEST_BENDING_MOMENT ? CB_LAW_BENDING : (cb_material_law_kind)kind,
        .form = "f",
        .origin = CB_MEASURED};
    law.result_json = store_law_text(law.kind);
    assert_ok(cb_store_material_law_put(l->store, &law, &t.id, 1, err));
    free(law.result_json);
  }
  cb_material_law elasticity = {.material_id = l->like.body_id,
                                .kind = CB_LAW_ELASTICITY,
                                .form = "isotropic",
                                .origin = CB_IMPORTED,
                                .result_json = store_law_elasticity()};
  assert_ok(cb_store_material_law_put(l->store, &elasticity, NULL, 0, err));
  free(elasticity.result_json);
  cb_drape_test d = {.material_id = l->like.cloth_id,
                     .method = "mesh",
                     .support_m = 0.18,
                     .specimen_m = 0.3,
                     .area_m2 = 0.05,
                     .pixel_m = 0.001,
                     .scale_from = "mesh",
                     .origin = CB_MEASURED};
  assert_ok(cb_store_drape_put(l->store, &d, "[]", "", err));
  cb_drape_shape shape = store_shape_bowl(l->like.cloth_id, 4);
  shape.stretch_law_id =
      store_lab_int(l->db, "SELECT id FROM material_law WHERE kind = 'stretch' ORDER BY id LIMIT 1");
  assert_ok(cb_store_shape_put(l->store, &shape, err));
  cb_drape_shape_clear(&shape);
  cb_material_figure f = {.material_id = l->like.cloth_id,
                          .name = "MMD",
                          .value = 0.02,
                          .u = NAN,
                          .unit = "1",
                          .origin = CB_IMPORTED};
  assert_ok(cb_store_figure_put(l->store, &f, "", err));
  cb_specimen piece = {.cloth_id = l->like.cloth_id, .side = -1, .cut_deg = NAN, .washes = 2};
  cb_specimen_entry entry = {.text = "aired", .operator_name = "Mia"};
  (void)snprintf(piece.name, sizeof piece.name, "piece");
  (void)snprintf(piece.operator_name, sizeof piece.operator_name, "Mia");
  assert_ok(cb_store_specimen_put(l->store, &piece, err));
  assert_ok(cb_store_specimen_log(l->store, piece.id, &entry, err));
}

static void expect_rows(const store_lab *l, const char *table, int64_t n) {
  char sql[100];
  (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
  int64_t found = store_lab_int(l->db, sql);
  if (found != n) fail_msg("%s: %lld rows, %lld were wanted", table, (long long)found, (long long)n);
}

static const char *const tables[] = {"material",
                                     "rig",
                                     "calibration",
                                     "campaign",
                                     "run",
                                     "run_zero",
                                     "run_channel",
                                     "event",
                                     "friction_point",
                                     "friction_law",
                                     "friction_law_input",
                                     "validation",
                                     "sample_chunk",
                                     "material_test",
                                     "material_law",
                                     "material_law_input",
                                     "permeability_point",
                                     "stretch_point",
                                     "cantilever_point",
                                     "bending_moment_point",
                                     "run_stroke",
                                     "point_detail",
                                     "self_friction_law",
                                     "self_friction_law_input",
                                     "drape_measurement",
                                     "shear_point",
                                     "compression_point",
                                     "buckling_point",
                                     "material_figure",
                                     "drape_shape"};
#define N_TABLES (sizeof tables / sizeof tables[0])

static void all_of_it_comes_over_once(void **state) {
  two_labs *l = *state;
  /* Same cloth, body and rig in both; two runs here, three there. */
  static const int64_t wanted[N_TABLES] = {2, 1, 2, 2, 5, 5, 5, 10, 5, 5, 5, 5, 10, 14, 8,
                                           6, 4, 4, 4, 4, 5, 5, 5,  5, 2, 4, 4, 4,  2,  2};
  for (unsigned i = 1; i <= 2; i++) (void)full_run(l->here, i);
  full_tests(l->here);
  full_tests(l->there);
  int64_t ids[3];
  for (unsigned i = 0; i < 3; i++) ids[i] = full_run(l->there, 11 + i);
  cb_merge_result r = merge_from(l);
  assert_string_equal(said, "");
  assert_true(r.materials.known == 2 && r.rigs.known == 1 && r.calibrations.taken == 1 &&
              r.campaigns.taken == 1 && r.runs.taken == 3);
  assert_true(r.events.taken == 7 && r.specimens.taken == 1 && r.points.taken == 3 && r.laws.taken == 10 &&
              r.validations.taken == 4 && r.tests.taken == 9 && r.all.conflicts == 0);
  assert_int_equal(r.samples_taken, 3 * 3005);
  for (int twice = 0; twice < 2; twice++) {
    for (size_t i = 0; i < N_TABLES; i++) expect_rows(l->here, tables[i], wanted[i]);
    r = merge_from(l);
    assert_true(r.all.taken == 0 && r.all.conflicts == 0 && r.all.left_out == 0 && r.samples_taken == 0 &&
                r.runs.known == 3);
  }
  /* Bit for bit, under its own uuid; and its law rests on its own point. */
  for (int i = 0; i < 3; i++) {
    char sql[300];
    cb_run run;
    cb_series a, b;
    assert_ok(cb_store_run_get(l->there->store, ids[i], &run, err));
    (void)snprintf(sql, sizeof sql, "SELECT id FROM run WHERE uuid = '%s'", run.uuid);
    int64_t id = store_lab_int(l->here->db, sql);
    assert_ok(cb_store_samples(l->here->store, id, CB_CHANNEL_FORCE, &a, err));
    assert_ok(cb_store_samples(l->there->store, ids[i], CB_CHANNEL_FORCE, &b, err));
    assert_true(a.n == b.n && memcmp(a.v, b.v, a.n * sizeof *a.v) == 0);
    cb_series_clear(&a), cb_series_clear(&b);
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM friction_law_input i JOIN friction_point p ON p.id = i.point_id "
                   "JOIN validation v"
                   " ON v.law_kinetic_id = i.law_id AND v.run_id = p.run_id WHERE p.run_id = %lld",
                   (long long)id);
    assert_int_equal(store_lab_int(l->here->db, sql), 1);
  }
}

/* What is new in a campaign that is known comes over, and nothing else. */
static void a_campaign_that_went_on(void **state) {
  two_labs *l = *state;
  (void)full_run(l->there, 1);
  (void)merge_from(l);
  (void)full_run(l->there, 2);
  assert_ok(cb_store_campaign_finish(l->there->store, l->there->like.campaign_id, err));
  cb_merge_result r = merge_from(l);
  assert_true(r.campaigns.known == 1 && r.runs.known == 1 && r.runs.taken == 1 && r.events.taken == 2 &&
              r.laws.taken == 2);
  assert_int_equal(store_lab_int(l->here->db, "SELECT count(*) FROM campaign WHERE finished_at IS NOT NULL"),
                   1);
}

static void a_run_under_way_is_left_out(void **state) {
  two_labs *l = *state;
  int64_t id = store_lab_run(l->there, 1, 100, CB_RUN_RUNNING);
  assert_ok(cb_store_event_put(l->there->store, l->there->like.campaign_id, id, 0, "pull", "now", err));
  cb_merge_result r = merge_from(l);
  assert_true(r.runs.left_out == 1 && r.runs.taken == 0 && r.events.left_out == 1 && r.samples_taken == 0 &&
              r.all.conflicts == 0);
}

static void unknown_facts_are_filled_in(void **state) {
  two_labs *l = *state;
  store_edit_and_reseal(l->there->db,
                        "UPDATE material SET thickness_m = 4e-4, weave = 'twill 2/1' WHERE kind = 'cloth'");
  store_edit_and_reseal(l->here->db, "UPDATE material SET composition = 'cotton' WHERE kind = 'cloth'");
  cb_merge_result r = merge_from(l);
  cb_material m;
  assert_true(r.materials.known == 2 && r.all.conflicts == 0);
  assert_ok(cb_store_material_find(l->here->store, CB_CLOTH, "Twill", &m, err));
  assert_true(m.thickness_m == 4e-4);
  assert_string_equal(m.weave, "twill 2/1");
  assert_string_equal(m.composition, "cotton");
}

/* Two cloths of one name: nobody can say whose runs are whose, so they stay where they are. */
static void different_cloths_of_one_name(void **state) {
  two_labs *l = *state;
  (void)full_run(l->there, 1);
  store_edit_and_reseal(l->there->db,
                        "UPDATE material SET thickness_m = 4e-4, source = 'there' WHERE kind = 'cloth'");
  store_edit_and_reseal(l->here->db, "UPDATE material SET thickness_m = 5e-4 WHERE kind = 'cloth'");
  cb_merge_result r = merge_from(l);
  assert_string_equal(said, "material 'cloth' 'Twill': thickness_m is 0.0005 here, 0.0004 there\n");
  assert_true(r.materials.conflicts == 1 && r.all.conflicts == 1 && r.runs.left_out == 1 &&
              r.laws.left_out == 2 && r.events.left_out == 2);
  assert_true(r.campaigns.left_out == 1 && r.calibrations.taken == 1 && r.samples_taken == 0);
  expect_rows(l->here, "run", 0);
  assert_int_equal(
      store_lab_int(l->here->db, "SELECT count(*) FROM material WHERE thickness_m = 5e-4 AND source = ''"),
      1);
}

static void the_same_run_with_other_content(void **state) {
  two_labs *l = *state;
  for (unsigned i = 1; i <= 3; i++) (void)full_run(l->there, i);
  (void)merge_from(l);
  store_edit_and_reseal(l->there->db,
                        "UPDATE run SET travel_m = 0.5 WHERE id = 1;"
                        "DELETE FROM sample_chunk WHERE run_id = 2 AND channel = 'position';"
                        "UPDATE run_zero SET mean = 9 WHERE run_id = 3");
  cb_merge_result r = merge_from(l);
  assert_non_null(strstr(said, "': travel_m is 0 here, 0.5 there\n"));
  assert_non_null(strstr(said, "': its samples here are others than there\n"));
  assert_non_null(strstr(said, "run_zero"));
  assert_true(r.runs.conflicts == 2 && r.runs.known == 1 && r.all.conflicts == 3 && r.all.taken == 0);
  expect_rows(l->here, "run", 3);
}

/* The same samples, cut into other chunks, are the same samples. */
static void chunks_may_differ(void **state) {
  two_labs *l = *state;
  int64_t id = store_lab_run(l->there, 1, 0, CB_RUN_RUNNING);
  double t[4] = {0, 1, 2, 3}, v[4] = {4, 5, 6, 7};
  assert_ok(cb_store_chunk_put(l->there->store, id, CB_CHANNEL_FORCE, 0, 4, t, v, err));
  assert_ok(cb_store_run_finish(l->there->store, id, CB_RUN_DONE, "", err));
  (void)merge_from(l);
  store_edit_and_reseal(l->there->db, "DELETE FROM sample_chunk");
  assert_ok(cb_store_chunk_put(l->there->store, id, CB_CHANNEL_FORCE, 0, 1, t, v, err));
  assert_ok(cb_store_chunk_put(l->there->store, id, CB_CHANNEL_FORCE, 1, 3, t + 1, v + 1, err));
  cb_merge_result r = merge_from(l);
  assert_true(r.runs.known == 1 && r.all.conflicts == 0);
}

static void nothing_happens_where_it_must_not(void **state) {
  two_labs *l = *state;
  cb_merge_result r;
  (void)full_run(l->there, 1);
  assert_fails(CB_E_ARG, "is the file itself",
               cb_store_merge(l->here->store, l->here->db, note, NULL, &r, err));
  assert_fails(CB_E_IO, "no such database",
               cb_store_merge(l->here->store, "/no/such.db", note, NULL, &r, err));
  store_edit_and_reseal(l->there->db, "UPDATE sample_chunk SET crc32 = 0 WHERE channel = 'position'");
  assert_fails(CB_E_DB, "damaged (CRC)", cb_store_merge(l->here->store, l->there->db, note, NULL, &r, err));
  expect_rows(l->here, "run", 0);
}

/* Whoever opens the merged file may compute with every law in it. */
static void a_text_that_is_no_law_is_refused(void **state) {
  two_labs *l = *state;
  cb_merge_result r;
  full_tests(l->there);
  store_edit_and_reseal(l->there->db, "UPDATE material_law SET result_json = '{}' WHERE kind = 'bending'");
  assert_fails(CB_E_DB, "lab.db: law", cb_store_merge(l->here->store, l->there->db, note, NULL, &r, err));
  assert_fails(CB_E_DB, "law", cb_store_check(l->there->store, NULL, err));
  expect_rows(l->here, "material_law", 0);
}

static void on_the_command_line(void **state) {
  two_labs *l = *state;
  static cbt_result r;
  char arguments[700];
  (void)full_run(l->there, 1);
  store_edit_and_reseal(l->there->db, "UPDATE material SET thickness_m = 4e-4 WHERE kind = 'body'");
  (void)snprintf(arguments, sizeof arguments, "db merge '%s' --db lab.db", l->there->db);
  cbt_run(&r, l->here->folder, arguments);
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.out, "runs                  1        0         0         0\n"));
  assert_non_null(strstr(r.out, "3005 samples were taken over\n"));
  store_edit_and_reseal(l->here->db, "UPDATE material SET thickness_m = 5e-4 WHERE kind = 'body'");
  cbt_run(&r, l->here->folder, arguments);
  assert_int_equal(r.code, 3);
  assert_non_null(strstr(r.err, "material 'body' 'Foam': thickness_m is 0.0005 here, 0.0004 there\n"));
  (void)snprintf(arguments, sizeof arguments, "db merge '%s' --db lab.db --json", l->there->db);
  cbt_run(&r, l->here->folder, arguments);
  assert_int_equal(r.code, 3);
  jp_expect_text("db merge", r.out);
  assert_non_null(strstr(r.out, "\"conflicts\": [\n    \"material 'body' 'Foam': thickness_m"));
  cbt_run(&r, l->here->folder, "db merge lab.db --db " CB_SOURCE_DIR "/materials.db");
  assert_int_equal(r.code, 1);
  assert_non_null(strstr(r.err, "is the shipped reference database and is never written"));
}

/* A table that the merge does not know would be lost without a word. */
static void every_table_is_known_to_the_merge(void **state) {
  two_labs *l = *state;
  assert_int_equal(
      store_lab_int(
          l->here->db,
          "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE "
          "'sqlite_%' AND name NOT IN"
          " ('meta', 'seal', 'sample_tail', 'friction_knot', 'material', 'rig', "
          "'calibration', 'campaign', 'run', 'run_zero',"
          " 'run_channel', 'event', 'friction_point', 'friction_law', "
          "'friction_law_input', 'validation', 'sample_chunk',"
          " 'calibration_point', 'conditioning', 'standard_result', 'material_test', "
          "'material_law', 'material_law_input',"
          " 'permeability_point', 'stretch_point', 'cantilever_point', "
          "'bending_moment_point', 'run_stroke', 'point_detail',"
          " 'friction_shared', 'friction_shared_knot', 'self_friction_law', "
          "'self_friction_law_input', 'drape_measurement', 'validation_law', "
          "'validation_test', 'validation_drape', 'shear_point', 'compression_point', 'buckling_point', "
          "'material_figure', 'correction', 'material_name', 'specimen', 'specimen_log', "
          "'law_number', 'drape_shape')"),
      0);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
  const struct CMUnitTest tests[] = {T(all_of_it_comes_over_once),
                                     T(a_campaign_that_went_on),
                                     T(a_run_under_way_is_left_out),
                                     T(unknown_facts_are_filled_in),
                                     T(different_cloths_of_one_name),
                                     T(the_same_run_with_other_content),
                                     T(chunks_may_differ),
                                     T(nothing_happens_where_it_must_not),
                                     T(a_text_that_is_no_law_is_refused),
                                     T(on_the_command_line),
                                     T(every_table_is_known_to_the_merge)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
