/* clothbench.h against the program inside: the same bits, errors in one sentence, draws that scatter as the
 * uncertainty says. */
#include "cbtest.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "cb_bending_loading.h"
#include "cb_store_material_test.h"
#include "clothbench.h"
#include "lab_bending.h"
#include "lab_permeability.h"
#include "lab_predict.h"
#include "lab_stretch.h"

#define MATERIALS CB_SOURCE_DIR "/materials.db"
#define CLOTH "Royal Target"
#define BODY "Plastic Foam"
#define N 7

static const double angles_deg[N] = {0, 30, 45, 90, 135, -60, 750}, loads_N[N] = {0.2, 1, 2.5, 0.01, 7, 1, 1};

/* A call, or its sentence. */
#define assert_done(call)                                                                   \
  do {                                                                                      \
    clothbench_error error = {""};                                                          \
    const clothbench_status at_st_ = (call);                                                \
    if (at_st_ != CLOTHBENCH_OK) fail_msg("%s: %d, %s", #call, (int)at_st_, error.message); \
  } while (0)
#define assert_refused(status, text, call)                                              \
  do {                                                                                  \
    clothbench_error error = {""};                                                      \
    assert_int_equal(call, status);                                                     \
    if (!strstr(error.message, text)) fail_msg("'%s' lacks '%s'", error.message, text); \
    assert_null(strchr(error.message, '\n'));                                           \
  } while (0)

static clothbench_database *db;
static cb_store *store; /* the same file */

static int set_up(void **state) {
  (void)state;
  assert_done(clothbench_open(MATERIALS, false, &db, &error));
  assert_ok(cb_store_open(MATERIALS, CB_STORE_READ, &store, err));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  assert_done(clothbench_close(db, &error));
  assert_ok(cb_store_close(store, err));
  return 0;
}

static clothbench_law *find(clothbench_kind kind, const char *cloth, const char *body) {
  clothbench_law *law;
  assert_done(clothbench_law_find(db, kind, cloth, body, &law, &error));
  return law;
}

typedef struct numbers {
  double value[N], u[N], low[N], high[N];
  bool measured[N];
} numbers;
static clothbench_band band_of(numbers *x) {
  return (clothbench_band){x->value, x->u, x->low, x->high, x->measured};
}

/* ---- laws ---- */

static void friction_has_the_bits_of_the_program(void **state) {
  (void)state;
  clothbench_law *law = find(CLOTHBENCH_KINETIC, CLOTH, BODY);
  numbers force, mu;
  const clothbench_band forces = band_of(&force), mus = band_of(&mu);
  assert_done(clothbench_friction_force(law, N, angles_deg, loads_N, &forces, &error));
  assert_done(clothbench_friction_mu(law, N, angles_deg, loads_N, &mus, &error));
  for (int i = 0; i < N; i++) {
    const lab_question q = {.cloth = CLOTH,
                            .body = BODY,
                            .kind = CB_FRICTION_KINETIC,
                            .angle_deg = angles_deg[i],
                            .normal_force_N = loads_N[i]};
    lab_answer a;
    assert_ok(lab_friction_predict(store, &q, &a, err));
    assert_memory_equal(&force.value[i], &a.value.force_N, sizeof(double));
    assert_memory_equal(&force.u[i], &a.value.u_force_N, sizeof(double));
    assert_near(force.high[i] - force.value[i], a.u95_force_N, 1e-15);
    assert_near(force.value[i] - force.low[i], a.u95_force_N, 1e-15);
    assert_int_equal(force.measured[i], a.value.inside_measured_range);
    assert_memory_equal(&mu.value[i], &a.mu, sizeof(double));
    lab_answer_clear(&a);
  }
  /* 750 degrees are 30; the form is that of f00, f01, f11. */
  double f[3], c = cos(CB_PI / 6), s = sin(CB_PI / 6);
  assert_near(force.value[6], force.value[1], 1e-15);
  assert_done(clothbench_friction_tensor(law, 1, &loads_N[1], f, &error));
  assert_near(force.value[1], c * c * f[0] + 2 * c * s * f[1] + s * s * f[2], 1e-14);
  clothbench_law_free(law);
}

static void a_law_says_of_itself(void **state) {
  (void)state;
  clothbench_law *law = find(CLOTHBENCH_KINETIC, CLOTH, BODY), *half;
  double range[2], at_N = 1, twice_N = 2, force_N, half_N;
  const clothbench_band out = {.value = &force_N}, half_out = {.value = &half_N};
  char *json;
  assert_int_equal(clothbench_law_kind(law), CLOTHBENCH_KINETIC);
  assert_string_equal(clothbench_law_cloth(law), CLOTH);
  assert_string_equal(clothbench_law_body(law), BODY);
  assert_string_equal(clothbench_law_origin(law), "imported");
  clothbench_law_range(law, range);
  assert_near(range[0], 0.127, 5e-4);
  assert_near(range[1], 2.97, 5e-3);
  assert_done(clothbench_law_json(law, &json, &error));
  assert_non_null(strstr(json, "\"knots\""));
  clothbench_free(json);
  assert_done(clothbench_law_on_area(law, clothbench_law_area_m2(law) / 2, &half, &error));
  assert_done(clothbench_friction_force(law, 1, (double[]){0}, &twice_N, &out, &error));
  assert_done(clothbench_friction_force(half, 1, (double[]){0}, &at_N, &half_out, &error));
  assert_near(half_N, force_N / 2, 1e-14);
  clothbench_law_free(half);
  clothbench_law_free(law);
}

/* The mean and scatter of draws against what one evaluation says. */
static void draws_scatter_as_the_uncertainty_says(void **state) {
  (void)state;
  enum { DRAWS = 4000 };
  static double drawn[DRAWS];
  clothbench_law *law = find(CLOTHBENCH_KINETIC, CLOTH, BODY), *one, *again;
  const double angle_deg = 30, load_N = 1;
  double force_N, u_N, u_of_draw;
  const clothbench_band out = {.value = &force_N, .u = &u_N};
  assert_done(clothbench_friction_force(law, 1, &angle_deg, &load_N, &out, &error));
  for (uint64_t i = 0; i < DRAWS; i++) {
    const clothbench_band draw = {.value = &drawn[i], .u = &u_of_draw};
    assert_done(clothbench_law_draw(law, 7, i, &one, &error));
    assert_done(clothbench_friction_force(one, 1, &angle_deg, &load_N, &draw, &error));
    assert_true(u_of_draw == 0);
    clothbench_law_free(one);
  }
  /* Student's t of the law's degrees of freedom is wider than its u by a few percent. */
  assert_near(cb_mean(drawn, DRAWS), force_N, 4 * u_N / sqrt(DRAWS));
  assert_near(cb_sd(drawn, DRAWS) / u_N, 1.05, 0.1);
  double twice;
  const clothbench_band second = {.value = &twice};
  assert_done(clothbench_law_draw(law, 7, 12, &again, &error));
  assert_done(clothbench_friction_force(again, 1, &angle_deg, &load_N, &second, &error));
  assert_memory_equal(&twice, &drawn[12], sizeof twice);
  assert_refused(CLOTHBENCH_E_NOTFOUND, "does not know its uncertainty",
                 clothbench_law_draw(again, 7, 0, &one, &error));
  assert_null(one);
  clothbench_law_free(again);
  clothbench_law_free(law);
}

static void stretch_and_bending_have_the_bits_of_the_program(void **state) {
  (void)state;
  const char *cloth = "Acrylic garter";
  clothbench_law *law = find(CLOTHBENCH_STRETCH, cloth, NULL);
  numbers x;
  const clothbench_band out = band_of(&x);
  const double strain[2] = {0.01, 0.03}, warp_deg[2] = {0, 0}, curvature_per_m[2] = {50, 100};
  assert_done(clothbench_stretch_force(law, 2, warp_deg, strain, &out, &error));
  for (int i = 0; i < 2; i++) {
    const lab_stretch_question q = {
        .cloth = cloth, .angle_deg = 0, .strain = strain[i], .force_N_per_m = NAN};
    lab_stretch_answer a;
    assert_ok(lab_stretch_predict(store, &q, &a, err));
    assert_memory_equal(&x.value[i], &a.value.force_N_per_m, sizeof(double));
    assert_near(x.high[i] - x.value[i], a.u95_N_per_m, 1e-9 * x.value[i]);
  }
  clothbench_law_free(law);
  law = find(CLOTHBENCH_BENDING, "Petrak M1, polyester twill", NULL);
  numbers moment;
  const clothbench_band moments = band_of(&moment);
  assert_done(clothbench_bending_rigidity(law, 2, warp_deg, curvature_per_m, &out, &error));
  assert_done(clothbench_bending_moment(law, 2, warp_deg, curvature_per_m, &moments, &error));
  for (int i = 0; i < 2; i++) {
    const lab_bending_question q = {.cloth = "Petrak M1, polyester twill",
                                    .angle_deg = 0,
                                    .curvature_per_m = curvature_per_m[i],
                                    .overhang_m = NAN,
                                    .areal_density_kg_per_m2 = NAN};
    lab_bending_answer a;
    assert_ok(lab_bending_predict(store, &q, &a, err));
    assert_memory_equal(&x.value[i], &a.value.B_Nm, sizeof(double));
  }
  /* The published loop of this cloth: friction beside B K, half of its width beyond the onset of 50 1/m. */
  cb_bending_law slopes;
  cb_material facts;
  cb_bending_loading l;
  double half_N, half_K = 50, diagonal_N, B_Nm;
  assert_ok(cb_store_law_of(store, CB_LAW_BENDING, "Petrak M1, polyester twill", &slopes, NULL, err));
  assert_ok(cb_store_material_find(store, CB_CLOTH, "Petrak M1, polyester twill", &facts, err));
  cb_bending_loading_of(&slopes, facts.areal_density_kg_per_m2 * 9.80665, NULL, &l);
  for (int i = 0; i < 2; i++)
    assert_near(moment.value[i], x.value[i] * curvature_per_m[i] + l.friction_N[0], 1e-15);
  half_K = l.onset_per_m / 2;
  const clothbench_band at_half = {.value = &half_N}, at_45 = {.value = &diagonal_N}, B_45 = {.value = &B_Nm};
  assert_done(clothbench_bending_moment(law, 1, &(double){0}, &half_K, &at_half, &error));
  assert_near(half_N, x.value[0] * half_K + l.friction_N[0] / 2, 1e-15);
  assert_done(clothbench_bending_moment(law, 1, &(double){45}, &curvature_per_m[1], &at_45, &error));
  assert_done(clothbench_bending_rigidity(law, 1, &(double){45}, &curvature_per_m[1], &B_45, &error));
  assert_near(diagonal_N, 100 * B_Nm + (l.friction_N[0] + l.friction_N[1]) / 2, 1e-15);
  /* A draw's moment has the friction of its own law: beyond the onset it scatters as that is doubtful. */
  enum { DRAWS = 1000 };
  static double ln_h[DRAWS];
  for (uint64_t i = 0; i < DRAWS; i++) {
    clothbench_law *drawn;
    assert_done(clothbench_law_draw(law, 3, i, &drawn, &error));
    assert_done(clothbench_bending_moment(drawn, 1, &(double){0}, &(double){1000}, &at_half, &error));
    assert_done(clothbench_bending_rigidity(drawn, 1, &(double){0}, &(double){1000}, &B_45, &error));
    ln_h[i] = log(half_N - 1000 * B_Nm);
    clothbench_law_free(drawn);
  }
  assert_near(cb_sd(ln_h, DRAWS) / l.u_ln_friction, 1, 0.1);
  clothbench_law_free(law);
}

static void air_has_the_bits_of_the_program(void **state) {
  (void)state;
  const char *cloth = "Advancheck SMS (nW10)";
  clothbench_law *law = find(CLOTHBENCH_PERMEABILITY, cloth, NULL);
  const double pressure_Pa[2] = {100, 200};
  numbers x;
  const clothbench_band out = band_of(&x);
  lab_layers *layers = calloc(1, sizeof *layers);
  assert_ok(lab_layers_add_word(store, cloth, layers, err));
  assert_done(clothbench_air_velocity(law, 2, pressure_Pa, &out, &error));
  for (int i = 0; i < 2; i++) {
    const lab_air_question q = {pressure_Pa[i], NAN, NAN, NAN};
    const lab_air_answer a = lab_air_predict(layers, &q);
    assert_memory_equal(&x.value[i], &a.v.velocity_m_per_s, sizeof(double));
    assert_near(x.high[i] / x.value[i], a.velocity_factor, 1e-12);
  }
  free(layers);
  clothbench_law_free(law);
}

static void what_is_wrong_is_said(void **state) {
  (void)state;
  clothbench_law *law = find(CLOTHBENCH_KINETIC, CLOTH, BODY), *none;
  double value = -1;
  const clothbench_band out = {.value = &value};
  const double angle_deg = 0, wrong_N = -1, load_N = 1;
  assert_refused(CLOTHBENCH_E_RANGE, "normal_force_N[0] = -1",
                 clothbench_friction_force(law, 1, &angle_deg, &wrong_N, &out, &error));
  assert_refused(CLOTHBENCH_E_RANGE, "angle_deg[0]",
                 clothbench_friction_force(law, 1, &(double){NAN}, &load_N, &out, &error));
  assert_refused(CLOTHBENCH_E_ARG, "a law of stretch was wanted",
                 clothbench_stretch_force(law, 1, &angle_deg, &load_N, &out, &error));
  assert_true(value == -1);
  assert_refused(CLOTHBENCH_E_RANGE, "area_m2", clothbench_law_on_area(law, 0, &none, &error));
  assert_refused(CLOTHBENCH_E_NOTFOUND, "Nobody",
                 clothbench_law_find(db, CLOTHBENCH_STRETCH, "Nobody", NULL, &none, &error));
  assert_null(none);
  assert_refused(CLOTHBENCH_E_ARG, "a body for friction",
                 clothbench_law_find(db, CLOTHBENCH_KINETIC, CLOTH, NULL, &none, &error));
  assert_refused(CLOTHBENCH_E_ARG, "clothbench_kind",
                 clothbench_law_find(db, (clothbench_kind)99, CLOTH, NULL, &none, &error));
  assert_int_equal(clothbench_law_find(db, CLOTHBENCH_STRETCH, "Nobody", NULL, &none, NULL),
                   CLOTHBENCH_E_NOTFOUND);
  clothbench_law_free(law);
  clothbench_database *no;
  assert_refused(CLOTHBENCH_E_IO, "nowhere.db", clothbench_open("nowhere.db", false, &no, &error));
  assert_null(no);
  char *text;
  assert_refused(CLOTHBENCH_E_ARG, "'doc'", clothbench_export(db, CLOTH, "doc", NULL, &text, &error));
  assert_refused(CLOTHBENCH_E_ARG, "a table such as \"runs\"", clothbench_table(db, "walks", &text, &error));
  assert_refused(CLOTHBENCH_E_ARG, "open for reading: writable was wanted",
                 clothbench_fit(db, CLOTHBENCH_STRETCH, "Acrylic garter", NULL, &error));
  assert_string_equal(clothbench_status_text(CLOTHBENCH_E_NOTFOUND), "no such entry");
}

/* ---- a database ---- */

static void the_contents_are_read(void **state) {
  (void)state;
  const char *const *names;
  char *text;
  size_t n;
  assert_done(clothbench_names(db, CLOTHBENCH_BODY, &names, &n, &error));
  assert_int_equal(n, 7);
  assert_string_equal(names[0], "Cotton");
  clothbench_free((void *)names);
  assert_done(clothbench_contents(db, &text, &error));
  assert_non_null(strstr(text, "Royal Target"));
  clothbench_free(text);
  assert_done(clothbench_card(db, CLOTH, &text, &error));
  assert_non_null(strstr(text, "coefficient"));
  clothbench_free(text);
  assert_done(clothbench_table(db, "laws", &text, &error));
  assert_non_null(strstr(text, "normal_force_N"));
  clothbench_free(text);
  assert_done(clothbench_query(db, "SELECT count(*) AS n FROM material WHERE kind = 'body'", &text, &error));
  assert_non_null(strstr(text, "7"));
  clothbench_free(text);
  assert_done(clothbench_verdicts(db, &text, &error));
  assert_non_null(strstr(text, "worst_en"));
  clothbench_free(text);
  assert_done(clothbench_export(db, CLOTH, "json", NULL, &text, &error));
  assert_non_null(strstr(text, "\"knots\""));
  clothbench_free(text);
}

static void a_table_becomes_a_law(void **state) {
  (void)state;
  char path[400], table[400], map[400];
  clothbench_database *lab;
  clothbench_law *law;
  size_t n;
  double v, pressure_Pa = 150;
  const clothbench_band out = {.value = &v};
  assert_int_equal(cbt_folder_set_up(state), 0);
  cbt_write(cbt_path("map.yaml", map),
            "kind: permeability\nsource: a test\ncolumns:\n  material: {column: cloth}\n"
            "  pressure: {column: p_Pa, unit: Pa}\n  velocity: {column: v, unit: mm/s}\n");
  cbt_write(cbt_path("air.csv", table),
            "cloth,p_Pa,v\nGauze,50,25\nGauze,100,50\nGauze,200,100\nGauze,400,200\n");
  assert_done(clothbench_import(cbt_path("lab.db", path), "permeability", map, table, &n, &error));
  assert_true(n >= 1);
  assert_refused(CLOTHBENCH_E_RANGE, "air.csv",
                 clothbench_import(path, "permeability", map, table, &n, &error));
  assert_int_equal(n, 0);
  assert_done(clothbench_open(path, true, &lab, &error));
  assert_done(clothbench_fit(lab, CLOTHBENCH_PERMEABILITY, "Gauze", NULL, &error));
  assert_done(clothbench_law_find(lab, CLOTHBENCH_PERMEABILITY, "Gauze", NULL, &law, &error));
  assert_done(clothbench_air_velocity(law, 1, &pressure_Pa, &out, &error));
  assert_near(v, 0.075, 1e-6);
  clothbench_law_free(law);
  assert_done(clothbench_close(lab, &error));
  assert_int_equal(cbt_folder_tear_down(state), 0);
}

/* ---- scenes and drapes ---- */

static void take_steps(clothbench_scene *s, int n) {
  for (int i = 0; i < n; i++) assert_done(clothbench_scene_step(s, &error));
}

static void a_scene_moves_and_goes_on(void **state) {
  (void)state;
  const char *file = CB_SOURCE_DIR "/tests/kit/library_drape.yaml";
  char path[400];
  clothbench_scene *s, *again;
  clothbench_surface a, b;
  assert_int_equal(cbt_folder_set_up(state), 0);
  assert_done(clothbench_scene_open(file, NULL, &s, &error));
  assert_done(clothbench_scene_open(file, NULL, &again, &error));
  assert_string_equal(clothbench_scene_model(s), "cloth");
  assert_int_equal(clothbench_scene_steps(s), 100);
  take_steps(s, 3);
  assert_done(clothbench_scene_save(s, cbt_path("state", path), &error));
  take_steps(s, 2);
  assert_near(clothbench_scene_time_s(s), 0.025, 1e-12);
  /* Free fall by backward Euler, with the scene's drag of 2 1/s. */
  double z_m = 0.091, v_m_per_s = 0;
  for (int i = 0; i < 5; i++) {
    v_m_per_s = (v_m_per_s - 9.80665 * 5e-3) / (1 + 2 * 5e-3);
    z_m += 5e-3 * v_m_per_s;
  }
  assert_done(clothbench_scene_surface(s, 0, &a, &error));
  assert_near(a.position_m[2], z_m, 1e-6);
  assert_done(clothbench_scene_load(again, path, &error));
  take_steps(again, 2);
  assert_done(clothbench_scene_surface(again, 0, &b, &error));
  assert_int_equal(a.n_vertices, b.n_vertices);
  assert_memory_equal(a.position_m, b.position_m, (size_t)a.n_vertices * 3 * sizeof(double));
  double *row = calloc((size_t)clothbench_scene_columns(s), sizeof *row);
  clothbench_scene_row(s, row);
  assert_string_equal(clothbench_scene_column(s, 0), "time_s");
  assert_near(row[0], 0.025, 1e-12);
  assert_null(clothbench_scene_column(s, clothbench_scene_columns(s)));
  free(row);
  assert_refused(CLOTHBENCH_E_ARG, "surface 9", clothbench_scene_surface(s, 9, &a, &error));
  assert_done(clothbench_scene_picture(s, cbt_path("now.png", path), &error));
  clothbench_scene_free(s);
  clothbench_scene_free(again);
  assert_refused(CLOTHBENCH_E_ARG, "a database with their laws",
                 clothbench_scene_open(CB_SOURCE_DIR "/scenes/catch_ball.yaml", NULL, &s, &error));
  assert_null(s);
  assert_int_equal(cbt_folder_tear_down(state), 0);
}

/* A cone of cloth: its shadow is a disc of known radius. Edges of its triangles lie level with rows of
 * pixels, and no slit opens there. */
static void a_cone_has_a_drape_coefficient(void **state) {
  (void)state;
  enum { ROUND = 720 };
  static double x[(ROUND + 1) * 3];
  static int t[ROUND * 3];
  clothbench_drape d;
  const double radius_m = 0.12;
  for (int i = 0; i < ROUND; i++) {
    const double a = 2 * CB_PI * i / ROUND;
    x[3 * i + 3] = radius_m * cos(a), x[3 * i + 4] = radius_m * sin(a), x[3 * i + 5] = -0.05;
    t[3 * i] = 0, t[3 * i + 1] = 1 + i, t[3 * i + 2] = 1 + (i + 1) % ROUND;
  }
  assert_done(clothbench_drape_of_mesh(ROUND + 1, x, ROUND, t, 0.18, 0.3, &d, &error));
  assert_near(d.coefficient, (radius_m * radius_m - 0.0081) / (0.0225 - 0.0081), 1e-3);
  assert_near(d.radius_mean_m, radius_m, 1e-4);
  assert_int_equal(d.nodes, 0);
  assert_refused(CLOTHBENCH_E_RANGE, "",
                 clothbench_drape_of_mesh(ROUND + 1, x, ROUND, t, 0.3, 0.18, &d, &error));
  assert_near(clothbench_en(0.5, 0.03, 0.45, 0.04), 1, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(friction_has_the_bits_of_the_program),
                                     cmocka_unit_test(a_law_says_of_itself),
                                     cmocka_unit_test(draws_scatter_as_the_uncertainty_says),
                                     cmocka_unit_test(stretch_and_bending_have_the_bits_of_the_program),
                                     cmocka_unit_test(air_has_the_bits_of_the_program),
                                     cmocka_unit_test(what_is_wrong_is_said),
                                     cmocka_unit_test(the_contents_are_read),
                                     cmocka_unit_test(a_table_becomes_a_law),
                                     cmocka_unit_test(a_scene_moves_and_goes_on),
                                     cmocka_unit_test(a_cone_has_a_drape_coefficient)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
