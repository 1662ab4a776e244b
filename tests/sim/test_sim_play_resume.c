/* A run of each of the seven models that is saved, ended and loaded into a fresh play goes on to the bit;
 * what is not a checkpoint of its scene is refused and changes nothing. */
#include "playtest.h"

#include "resume_scenes.h"
#include "sim_play_parts.h"

static sim_play *open_scene(const char *text) {
  sim_play *p;
  assert_ok(parse_play(text, &p, err));
  return p;
}

static char *state_of(sim_play *p, size_t *n) {
  char path[400], *data;
  assert_ok(sim_play_save(p, cbt_path("state.sim", path), err));
  assert_ok(cb_file_read(path, 1 << 26, &data, n, err));
  return data;
}

/* The whole state, and all that is told of it. */
static void expect_same(sim_play *a, sim_play *b, const char *what, int step) {
  size_t n[2];
  char *state[2] = {state_of(a, &n[0]), state_of(b, &n[1])};
  if (n[0] != n[1] || memcmp(state[0], state[1], n[0]) != 0)
    fail_msg("%s: after step %d the states differ", what, step);
  double row[2][400];
  assert_true(sim_play_columns(a) < 400);
  sim_play_row(a, row[0]);
  sim_play_row(b, row[1]);
  assert_memory_equal(row[0], row[1], (size_t)sim_play_columns(a) * sizeof(double));
  for (int k = 0; k < sim_play_columns(a); k++) assert_true(isfinite(row[0][k]));
  free(state[0]);
  free(state[1]);
}

static void expect_same_files(sim_play *a, sim_play *b) {
  static const sim_play_format formats[] = {SIM_PLAY_OBJ, SIM_PLAY_PLY, SIM_PLAY_VTP};
  for (int file = 0; file < sim_play_files(a); file++)
    for (int k = 0; k < 3; k++) {
      char path[2][400], *text[2];
      size_t n[2];
      assert_ok(sim_play_write(a, file, formats[k], cbt_path("a", path[0]), err));
      assert_ok(sim_play_write(b, file, formats[k], cbt_path("b", path[1]), err));
      for (int i = 0; i < 2; i++) assert_ok(cb_file_read(path[i], 1 << 26, &text[i], &n[i], err));
      assert_int_equal(n[0], n[1]);
      assert_memory_equal(text[0], text[1], n[0]);
      free(text[0]);
      free(text[1]);
    }
}

/* From the middle, and from every step after it, one of another play each. */
static void goes_on_to_the_bit(void **state) {
  (void)state;
  for (size_t i = 0; i < RESUME_SCENES; i++) {
    sim_play *through = open_scene(resume_scenes[i].text), *second = NULL;
    const int steps = sim_play_steps(through);
    char path[400];
    assert_string_equal(sim_play_model(through), resume_scenes[i].name);
    for (int k = 1; k <= steps; k++) {
      assert_ok(sim_play_step(through, NULL, err));
      if (second) {
        assert_ok(sim_play_step(second, NULL, err));
        expect_same(through, second, resume_scenes[i].name, k);
      }
      if (k < steps / 2 || k == steps) continue;
      free_play(second);
      second = open_scene(resume_scenes[i].text);
      assert_ok(sim_play_save(through, cbt_path("half.sim", path), err));
      assert_ok(sim_play_load(second, path, err));
      assert_int_equal(sim_play_done(second), k);
      expect_same(through, second, resume_scenes[i].name, k);
    }
    expect_same_files(through, second);
    free_play(through);
    free_play(second);
  }
}

/* From the middle alone to the end, so that what is lost has time to show. */
static void goes_on_from_the_middle(void **state) {
  (void)state;
  for (size_t i = 0; i < RESUME_SCENES; i++) {
    sim_play *through = open_scene(resume_scenes[i].text), *second = open_scene(resume_scenes[i].text);
    char path[400];
    const int half = sim_play_steps(through) / 2;
    play_steps(through, half);
    assert_ok(sim_play_save(through, cbt_path("half.sim", path), err));
    assert_ok(sim_play_load(second, path, err));
    play_to_end(through);
    play_to_end(second);
    expect_same(through, second, resume_scenes[i].name, sim_play_done(second));
    free_play(through);
    free_play(second);
  }
}

/* Into a play that has gone on meanwhile: nothing of what it did there is left. */
static void goes_back_in_the_same_play(void **state) {
  (void)state;
  for (size_t i = 0; i < RESUME_SCENES; i++) {
    sim_play *through = open_scene(resume_scenes[i].text), *second = open_scene(resume_scenes[i].text);
    char path[400];
    const int steps = sim_play_steps(through);
    play_steps(second, steps / 3);
    assert_ok(sim_play_save(second, cbt_path("third.sim", path), err));
    play_steps(second, steps / 3);
    assert_ok(sim_play_load(second, path, err));
    play_steps(through, steps / 3);
    for (int k = steps / 3; k < steps; k++) {
      assert_ok(sim_play_step(through, NULL, err));
      assert_ok(sim_play_step(second, NULL, err));
      expect_same(through, second, resume_scenes[i].name, k + 1);
    }
    free_play(through);
    free_play(second);
  }
}

/* The first half of the scene with steps four times as long, which are divided where they go badly. (In the
 * second half the ball comes through the coarse cloth of the pillow, as short steps notice.) */
static char *adaptive_of(const char *text) {
  const char *at = strstr(text, "duration_s: ");
  char *out = malloc(strlen(text) + 40);
  double duration_s, step_ms;
  int used = 0;
  assert_true(at != NULL && out != NULL);
  assert_int_equal(sscanf(at, "duration_s: %lf, step_ms: %lf%n", &duration_s, &step_ms, &used), 2);
  (void)sprintf(out, "%.*sduration_s: %g, step_ms: %g%s%s", (int)(at - text), text, duration_s / 2,
                4 * step_ms, strstr(text, "adaptive") ? "" : ", adaptive: true", at + used);
  return out;
}

/* Of every model: whole steps and parts of them, some taken back, end at the same time, and a run that was
 * loaded in the middle tries the same lengths. */
static void adaptive_steps_of_every_model(void **state) {
  (void)state;
  int models_refused = 0;
  for (size_t i = 0; i < RESUME_SCENES; i++) {
    char *text = adaptive_of(resume_scenes[i].text), path[400];
    sim_play *through = open_scene(text), *second = open_scene(text);
    const int steps = sim_play_steps(through);
    int refused = 0, parts = 0;
    for (int k = 0; k < steps; k++) {
      sim_step_report r;
      if (k == steps / 2) {
        assert_ok(sim_play_save(through, cbt_path("half.sim", path), err));
        assert_ok(sim_play_load(second, path, err));
      }
      assert_ok(sim_play_step(through, &r, err));
      refused += r.refused;
      parts += r.steps;
      assert_near(sim_play_time(through), (k + 1) * sim_play_scene(through)->duration_s / steps, 1e-9);
    }
    play_to_end(second);
    expect_same(through, second, resume_scenes[i].name, steps);
    assert_true(parts >= steps);
    models_refused += refused > 0;
    free_play(through);
    free_play(second);
    free(text);
  }
  assert_true(models_refused >= 6);
}

/* Cloth that is pulled through a ring: impulses part it from itself in most steps, and searches after them
 * meet near places in an order that depends on the ones before. A state without them went on with other sums
 * (a resumed run of scenes/ring.yaml had other bits). */
static void near_places_keep_their_order(void **state) {
  (void)state;
  static const char text[] =
      "name: ring\n"
      "sheet: {shape: rectangle, length_mm: 400, width_mm: 400, vertices: 350, at_mm: [0, 0, 32]}\n"
      "cloth: {self_friction: 0.2}\n"
      "material: {areal_density_g_per_m2: 110, thickness_mm: 0.6, stretch_warp_N_per_m: 1200,\n"
      "    stretch_weft_N_per_m: 1000, shear_N_per_m: 40, bend_warp_uN_m: 6, bend_weft_uN_m: 4, damping_ms: "
      "2, drag_per_s: 1}\n"
      "bodies: [{shape: torus, radius_mm: 60, tube_mm: 20, friction: 0.15}]\n"
      "held: [{box_mm: [-12, -12, 0, 12, 12, 100], motion: [{until_s: 1.2, velocity_mm_per_s: [0, 0, "
      "-220]}]}]\n"
      "time: {duration_s: 0.8, step_ms: 5}\n";
  sim_play *through = open_scene(text), *second = open_scene(text);
  char path[400];
  play_steps(through, 120);
  assert_ok(sim_play_save(through, cbt_path("half.sim", path), err));
  assert_ok(sim_play_load(second, path, err));
  for (int k = 120; k < 160; k++) {
    play_steps(through, 1);
    play_steps(second, 1);
    expect_same(through, second, "ring", k + 1);
  }
  free_play(through);
  free_play(second);
}

/* The limits of a cloth that is remeshed have the mesh that is read, not the first one. */
static void limits_have_the_new_mesh(void **state) {
  (void)state;
  static const char text[] =
      "name: a\n"
      "sheet: {shape: rectangle, length_mm: 200, width_mm: 200, edge_mm: 60, turned_deg: [90, 0, 0], at_mm: "
      "[0, 0, -100]}\n"
      "held: upper-corners\n"
      "material: {areal_density_g_per_m2: 150, thickness_mm: 0, stretch_N_per_m: 20, bend_uN_m: 10, "
      "drag_per_s: 5}\n"
      "remeshed: {every_steps: 4, edge_min_mm: 25, edge_max_mm: 60, turn_deg: 10, change_m_per_s: 0, "
      "locking: "
      "0, compression: 0, limited: {method: mapped, weft_ratio: [0.99, 1.01]}}\n"
      "time: {duration_s: 0.2, step_ms: 5}\n";
  sim_play *through = open_scene(text), *second = open_scene(text);
  char path[400];
  play_steps(through, 30);
  assert_true(sim_play_value(through, "remeshings") >= 1 && sim_play_value(through, "rounds") >= 1);
  assert_ok(sim_play_save(through, cbt_path("half.sim", path), err));
  assert_ok(sim_play_load(second, path, err));
  play_to_end(through);
  play_to_end(second);
  expect_same(through, second, "limits", 40);
  free_play(through);
  free_play(second);
}

/* The scenes have what they are to have, or the tests above would not say much. */
static void scenes_are_hard(void **state) {
  (void)state;
  static const struct {
    const char *name, *column;
    double at_least;
  } wanted[] = {{"limited", "rounds", 1},  {"remeshed", "remeshings", 2}, {"conditions", "linearisations", 2},
                {"splash", "torn", 1},     {"splash", "seeped", 1},       {"splash", "touching", 1},
                {"curtain", "touching", 1}};
  for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
    for (size_t i = 0; i < RESUME_SCENES; i++) {
      if (strcmp(resume_scenes[i].name, wanted[k].name) != 0) continue;
      sim_play *p = open_scene(resume_scenes[i].text);
      double most = 0;
      while (sim_play_done(p) < sim_play_steps(p)) {
        assert_ok(sim_play_step(p, NULL, err));
        most = fmax(most, sim_play_value(p, wanted[k].column));
      }
      if (!(most >= wanted[k].at_least)) fail_msg("%s: %s = %g", wanted[k].name, wanted[k].column, most);
      free_play(p);
    }
}

/* Of any bit that is turned, and any byte that is cut off, something is noticed, and the play is what it
   was. */
static void damage_is_noticed(void **state) {
  (void)state;
  for (size_t i = 0; i < RESUME_SCENES; i++) {
    sim_play *p = open_scene(resume_scenes[i].text);
    play_steps(p, 3);
    size_t n, after_n;
    char *data = state_of(p, &n);
    for (size_t at = 0; at < n; at += at < 60 ? 1 : n / 50 + 1) {
      cb_err why = {""};
      data[at] = (char)(data[at] ^ 1 << at % 8);
      assert_int_not_equal(sim_play_restore(p, (const unsigned char *)data, n, "c", &why), CB_OK);
      assert_true(why.msg[0] && strchr(why.msg, '\n') == NULL);
      data[at] = (char)(data[at] ^ 1 << at % 8);
      assert_int_not_equal(sim_play_restore(p, (const unsigned char *)data, at, "c", &why), CB_OK);
    }
    char *after = state_of(p, &after_n);
    assert_int_equal(n, after_n);
    assert_memory_equal(data, after, n);
    assert_ok(sim_play_restore(p, (const unsigned char *)data, n, "c", err));
    free(data);
    free(after);
    free_play(p);
  }
}

/* Every scene refuses every other's. */
static void of_another_scene(void **state) {
  (void)state;
  for (size_t i = 0; i < RESUME_SCENES; i++)
    for (size_t j = 0; j < RESUME_SCENES; j++) {
      sim_play *p = open_scene(resume_scenes[i].text), *q = open_scene(resume_scenes[j].text);
      size_t n;
      char *data = state_of(p, &n);
      if (i == j)
        assert_ok(sim_play_restore(q, (const unsigned char *)data, n, "c", err));
      else
        assert_fails(CB_E_RANGE, "c: belongs to a scene of another model",
                     sim_play_restore(q, (const unsigned char *)data, n, "c", err));
      free(data);
      free_play(p);
      free_play(q);
    }
}

/* The same scene but for one number of its sheet, material or section, of gravity, of its bodies. Time and
   output may be others. */
static void of_a_changed_scene(void **state) {
  (void)state;
#define HUNG(width, held, bend, section, rest)                                                     \
  "name: a\nsheet: {shape: rectangle, length_mm: " width ", width_mm: 200, cells: 4}\nheld: " held \
  "\nmaterial: {areal_density_g_per_m2: 150, stretch_N_per_m: 20, bend_uN_m: " bend                \
  "}\nconditions: {" section "}\n" rest "time: {duration_s: 0.1, step_ms: 10}\n"
#define WHOLE HUNG("200", "corners", "10", "", "")
#define HANGING(section, bodies) \
  PLAY_CURTAIN(1500, 1000)       \
  "curtain: {columns: 3, nodes: 4" section "}\n" bodies "time: {duration_s: 0.1, step_ms: 10}\n"
  static const struct {
    const char *one, *other;
    bool same;
  } pairs[] = {
      {WHOLE,
       "name: b\n# a comment\nconditions: {}\nmaterial:\n  bend_uN_m: 10.0\n  stretch_N_per_m: 20\n"
       "  areal_density_g_per_m2: 150\nheld: [corners]\n"
       "sheet: [{shape: rectangle, cells: 4, width_mm: 200, length_mm: 200.0}]\n"
       "time: {duration_s: 0.3, step_ms: 10}\n",
       true},
      {WHOLE, HUNG("201", "corners", "10", "", ""), false},
      {WHOLE, HUNG("200", "upper-edge", "10", "", ""), false},
      {WHOLE, HUNG("200", "corners", "11", "", ""), false},
      {WHOLE, HUNG("200", "corners", "10", "iterations: 21", ""), false},
      {WHOLE, HUNG("200", "corners", "10", "", "gravity_m_per_s2: [0, 0, -9]\n"), false},
      {HANGING("", ""), HANGING("", "bodies: [{shape: plane, at_mm: [0, 0, -2000]}]\n"), false},
      {HANGING("", ""), HANGING(", wind: {speed_m_per_s: 1}", ""), false},
  };
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
    sim_play *p = open_scene(pairs[k].one), *q = open_scene(pairs[k].other);
    size_t n;
    char *data = state_of(p, &n);
    cb_err why = {""};
    const cb_status st = sim_play_restore(q, (const unsigned char *)data, n, "c", &why);
    if ((st == CB_OK) != pairs[k].same) fail_msg("pair %zu: %d '%s'", k, st, why.msg);
    if (st != CB_OK)
      assert_non_null(strstr(why.msg, "c: belongs to another scene: the same bodies, gravity and "));
    free(data);
    free_play(p);
    free_play(q);
  }
}

static void other_files(void **state) {
  (void)state;
  char path[400];
  sim_play *p = open_scene(resume_scenes[0].text);
  assert_fails(CB_E_IO, "nothing.sim", sim_play_load(p, cbt_path("nothing.sim", path), err));
  cbt_write(cbt_path("c.sim", path), "CBCLOTH");
  assert_fails(CB_E_PARSE, "c.sim: is no checkpoint of a scene", sim_play_load(p, path, err));
  size_t n;
  char *data = state_of(p, &n);
  data[8] = 9;
  assert_fails(CB_E_PARSE, "c: version 9: 1 was wanted",
               sim_play_restore(p, (const unsigned char *)data, n, "c", err));
  free(data);
  free_play(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(goes_on_to_the_bit),
                                     cmocka_unit_test(goes_on_from_the_middle),
                                     cmocka_unit_test(goes_back_in_the_same_play),
                                     cmocka_unit_test(adaptive_steps_of_every_model),
                                     cmocka_unit_test(near_places_keep_their_order),
                                     cmocka_unit_test(limits_have_the_new_mesh),
                                     cmocka_unit_test(scenes_are_hard),
                                     cmocka_unit_test(damage_is_noticed),
                                     cmocka_unit_test(of_another_scene),
                                     cmocka_unit_test(of_a_changed_scene),
                                     cmocka_unit_test(other_files)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
