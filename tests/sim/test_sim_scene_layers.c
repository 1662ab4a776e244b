/* Layers in a scene file: what the keys come to, what is refused, how told bodies move, and that a checkpoint
 * is one. */
#include "cbtest.h"

#include "cb_num.h"
#include "sim_play_parts.h"

#define MATERIAL                                                                                   \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, " \
  "shear_N_per_m: 50,\n"                                                                           \
  "    bend_warp_uN_m: 20, bend_weft_uN_m: 20}\n"
#define SHEET \
  "name: a\n" \
  "sheet: {shape: rectangle, length_mm: 60, width_mm: 60, vertices: 60, at_mm: [0, 0, 60]}\n" MATERIAL
#define CASES \
  "name: a\n" \
  "cloth: {self_collision: false}\n" MATERIAL
#define TIME "time: {duration_s: 0.02, step_ms: 2}\n"
#define SOFT "density_kg_per_m3: 30, young_kPa: 20, poisson: 0.3, friction: 0.3"
#define PILLOW                                                  \
  "layers: [{shape: pillow, length_mm: 100, cell_mm: 30, " SOFT \
  ", case: {vertices: 150}, air: {permeability_mm_per_s: 50}}]\n"

static cb_status parse(const char *text, sim_scene *out, cb_err *why) {
  return sim_scene_parse(text, strlen(text), "s.yaml", out, why);
}

static void open_play(const char *text, sim_scene *s, sim_play **out) {
  assert_ok(parse(text, s, err));
  assert_ok(sim_play_new(s, out, err));
}

static void in_si(void **state) {
  (void)state;
  static sim_scene s;
  assert_ok(
      parse(SHEET TIME
            "wind_m_per_s: [1, 2, 3]\ngusts: {part: 0.5, period_ms: 300, front_m_per_s: 2}\nlayers:\n"
            "  - {shape: toy, length_mm: 80, cell_mm: 9, at_mm: [1, 2, 3], turned_deg: [0, 0, 180], "
            "density_kg_per_m3: 30,\n"
            "     young_kPa: 20, poisson: 0.25, damping_ms: 3, drag_per_s: 2, friction: 0.3, "
            "static_friction: 0.4,\n"
            "     friction_on_bodies: 0.5, velocity_mm_per_s: [0, 0, -500], spin_deg_per_s: [0, 0, 90],\n"
            "     case: {vertices: 500, gap_mm: 4, warp: [0, 1, 0]},\n"
            "     air: {over_Pa: 50, flow_m_per_s: 2, permeability_mm_per_s: 20, open_border: true, "
            "gap_most_mm: 7, solver: bicgstab}}\n"
            "  - {shape: car, rigid: true, friction: 0.1, offset_mm: -5, motion: [{until_s: 1, "
            "velocity_mm_per_s: [1, 0, 0]}]}\n",
            &s, err));
  const sim_scene_layer *l = &s.layer[0];
  assert_int_equal(s.n_layers, 2);
  assert_int_equal(l->shape, SIM_SCENE_READY + SIM_SHAPE_TOY);
  assert_near(l->length_m, 0.08, 1e-17);
  assert_near(l->turned_rad[2], CB_PI, 1e-15);
  assert_near(l->young_Pa, 2e4, 1e-10);
  assert_near(l->damping_s, 3e-3, 1e-18);
  assert_near(l->friction.mu_static, 0.4, 0);
  assert_near(l->spin_rad_per_s[2], CB_PI / 2, 1e-15);
  assert_near(l->sewn.gap_m, 4e-3, 1e-18);
  assert_near(l->air.permeability_m_per_s, 0.02, 1e-17);
  assert_near(l->air.gap_most_m, 7e-3, 1e-17);
  assert_true(l->air.on && l->air.open_border && l->sewn.sewn && !l->meets_all);
  assert_true(s.layer[1].rigid && s.layer[1].meets_all && !s.layer[1].air.on);
  assert_near(s.layer[1].offset_m, -5e-3, 1e-18);
  assert_near(s.wind_m_per_s[2], 3, 0);
  assert_true(s.gusts.part == 0.5 && s.gusts.period_s == 0.3 && s.gusts.front_m_per_s == 2 &&
              l->air.solver == SIM_AIR_BICGSTAB);
}

/* The border of a sheet is at the ambient pressure, that of a case is sewn up. */
static void borders_are_open_without_a_case(void **state) {
  (void)state;
#define UNDER(more)                                                                                 \
  SHEET TIME                                                                                        \
      "layers: [{shape: pillow, length_mm: 80, cell_mm: 9, density_kg_per_m3: 30, young_kPa: 20,\n" \
      "  poisson: 0.25, friction: 0.3" more "}]\n"
  static sim_scene s;
  assert_ok(parse(UNDER(", air: {permeability_mm_per_s: 5}"), &s, err));
  assert_true(s.layer[0].air.on && s.layer[0].air.open_border);
  assert_ok(parse(UNDER(", air: {permeability_mm_per_s: 5, open_border: false}"), &s, err));
  assert_false(s.layer[0].air.open_border);
  assert_ok(parse(UNDER(", case: {}, air: {permeability_mm_per_s: 5}"), &s, err));
  assert_false(s.layer[0].air.open_border);
}

#define ALONE "layers: [{shape: toy, cell_mm: 9, density_kg_per_m3: 1, young_kPa: 1, poisson: 0.3}]\n"

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {CASES TIME, "no sheet: it was wanted, or `case` in one of the layers"},
      {SHEET TIME "layers: [{shape: dodecahedron, friction: 0.3}]\n", "shape"},
      {SHEET TIME
       "layers: [{shape: block, size_mm: [1, 1, 1], density_kg_per_m3: 1, young_kPa: 1, poisson: 0.3}]\n",
       "no friction of the pair: `material`, the body it was measured on, or a number `friction` was wanted"},
      {SHEET TIME "layers: [{shape: block, " SOFT "}]\n", "a block needs size_mm"},
      {SHEET TIME "layers: [{shape: toy, " SOFT "}]\n", "a toy needs cell_mm"},
      {SHEET TIME "layers: [{shape: tets, " SOFT "}]\n", "'tets' needs the name of a file"},
      {SHEET TIME "layers: [{shape: surface, file: a.obj, " SOFT "}]\n", "'surface' needs `rigid: true`"},
      {SHEET TIME "layers: [{shape: toy, cell_mm: 9, friction: 0.3}]\n",
       "an elastic body needs density_kg_per_m3, young_kPa and poisson"},
      {SHEET TIME "layers: [{shape: toy, cell_mm: 9, " SOFT ", poisson: 0.5}]\n", "poisson"},
      {SHEET TIME "layers: [{shape: toy, cell_mm: 9, " SOFT ", meets: case}]\n",
       "meets = 'case': it has none"},
      {SHEET TIME "layers: [{shape: toy, cell_mm: 9, " SOFT ", air: {}}]\n",
       "air: no permeability_mm_per_s: it was wanted (0: sealed)"},
      {SHEET TIME "layers: [{shape: toy, cell_mm: 9, " SOFT ", air: {permeability_mm_per_s: -1}}]\n",
       "permeability_mm_per_s"},
      {SHEET TIME "layers: [{shape: block, size_mm: [9, 9, 9], " SOFT ", case: {}}]\n",
       "case: a block has none"},
      {SHEET TIME "layers: [{shape: toy, cell_mm: 9, " SOFT ", case: {warp: [0, 0, 0]}}]\n",
       "warp: a direction was wanted"},
      {SHEET TIME "layers: [{shape: toy, cell_mm: 9, " SOFT ", motion: [{until_s: 1}]}]\n",
       "motion: an elastic body moves by itself"},
      {SHEET TIME "layers: [{shape: toy, cell_mm: 9, offset_mm: 1, " SOFT "}]\n",
       "offset_mm: of a rigid shape"},
      {SHEET TIME "layers: [{shape: toy, rigid: true, friction: 0, spin_deg_per_s: [0, 0, 1]}]\n",
       "a rigid body moves as `motion` tells"},
      {SHEET TIME "layers: [{shape: toy, rigid: true, friction: 0.3, static_friction: 0.2}]\n",
       "static_friction = 0.2: must be at least"},
      {SHEET TIME "layers: [{shape: toy, rigid: true, material: Foam}]\n",
       "material = 'Foam': the cloth's `material` needs a name"},
      {SHEET TIME "gusts: {part: 0.5, period_ms: 300}\nlayers: [{shape: toy, cell_mm: 9, " SOFT "}]\n",
       "gusts: of a wind; wind_m_per_s was wanted"},
      {SHEET TIME
       "wind_m_per_s: [1, 0, 0]\ngusts: {part: 2, period_ms: 300}\nlayers: [{shape: toy, cell_mm: 9, " SOFT
       "}]\n",
       "part = 2"},
      {"name: s\n" TIME,
       "no material: it was wanted, or bodies in `layers` without sheet, case, cloth, wind, held and probes"},
      {"name: s\n" TIME ALONE "wind_m_per_s: [1, 0, 0]\n", "no material: it was wanted"},
      {"name: s\n" TIME ALONE "output: {probes: [{name: a, at_mm: [0, 0, 0]}]}\n",
       "no material: it was wanted"},
      {"name: s\n" TIME "layers: [{shape: toy, cell_mm: 9, " SOFT ", case: {}}]\n",
       "no material: it was wanted"},
      {"name: s\n" TIME "layers: [{shape: toy, cell_mm: 9, " SOFT ", air: {}}]\n",
       "air: it lies under cloth, and there is none"},
      {SHEET TIME "wind_m_per_s: [1, 0, 0]\n", "wind_m_per_s: it blows on cloth with air behind it"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static sim_scene s;
    cb_err why = {""};
    cb_status st = parse(cases[i].text, &s, &why);
    if (st == CB_OK || !strstr(why.msg, cases[i].says) || strncmp(why.msg, "s.yaml", 6) != 0)
      fail_msg("case %zu: %d '%s', without '%s'", i, st, why.msg, cases[i].says);
  }
}

/* What only the making can tell. */
static void not_made(void **state) {
  (void)state;
  char path[400], tets[400], text[2000];
  cbt_write(cbt_path("open.obj", path),
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\n");
  cbt_write(cbt_path("flat.node", tets), "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.3 0.3 0.0001\n");
  cbt_write(cbt_path("flat.ele", tets), "1 4 0\n1 1 2 3 4\n");
  tets[strlen(tets) - 4] = '\0';
  const struct {
    const char *layer, *says;
  } cases[] = {
      {"shape: surface, rigid: true, friction: 0.3, file: FILE",
       "the surface is open: the edge of vertices 1 and 3"},
      {"shape: tets, file: TETS, " SOFT, "tetrahedron"},
      {"shape: ball, length_mm: 100, rigid: true, friction: 0.3, at_mm: [0, 0, 60]", "inside of it"},
      {"shape: pillow, length_mm: 100, cell_mm: 30, at_mm: [0, 0, 400], " SOFT
       ", case: {vertices: 150, gap_mm: 1}",
       "two thirds of the longest edge"},
      {"shape: pillow, length_mm: 100, cell_mm: 300, at_mm: [0, 0, 400], " SOFT, "cell"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static sim_scene s;
    sim_play *p = NULL;
    cb_err why = {""};
    (void)snprintf(text, sizeof text, SHEET TIME "layers: [{%s}]\n", cases[i].layer);
    assert_ok(parse(text, &s, err));
    (void)snprintf(s.layer[0].file, sizeof s.layer[0].file, "%s",
                   s.layer[0].shape == SIM_SCENE_SURFACE ? path : tets);
    cb_status st = sim_play_new(&s, &p, &why);
    if (st == CB_OK || !strstr(why.msg, cases[i].says))
      fail_msg("case %zu: %d '%s', without '%s'", i, st, why.msg, cases[i].says);
    assert_null(p);
  }
}

/* A body that is told to turn and go ends where the rotation takes it, not on its tangent. */
static void told_motion(void **state) {
  (void)state;
  static sim_scene s;
  sim_play *p;
  open_play(
      SHEET
      "time: {duration_s: 0.5, step_ms: 50}\n"
      "layers: [{shape: ball, length_mm: 40, vertices: 60, rigid: true, friction: 0, at_mm: [0, 0, -500],\n"
      "  motion: [{until_s: 0.25, spin_deg_per_s: [0, 0, 360]}, {until_s: 0.5, velocity_mm_per_s: [40, 0, "
      "0]}]}]\n",
      &s, &p);
  sim_play_layer l = sim_play_layer_of(p, 0);
  double(*from)[3] = malloc((size_t)l.n_vertices * sizeof *from);
  assert_non_null(from);
  memcpy(from, l.position_m, (size_t)l.n_vertices * sizeof *from);
  for (int i = 0; i < 10; i++) assert_ok(sim_play_step(p, NULL, err));
  for (int i = 0; i < l.n_vertices; i++) {
    const double wanted[3] = {-from[i][1] + 0.01, from[i][0], from[i][2]};
    for (int k = 0; k < 3; k++) assert_near(l.position_m[i][k], wanted[k], 1e-12);
  }
  free(from);
  sim_play_free(p);
}

/* Centre of mass of cloth and body together. */
static double middle_x(const sim_play *p) {
  double sum = 0, mass = 0;
  const double *m = sim_cloth_mass(sim_play_cloth(p)),
               *bm = sim_elastic_mass(sim_layered_elastic(sim_play_layered(p), 0));
  sim_play_layer l = sim_play_layer_of(p, 0);
  for (int i = 0; i < sim_play_mesh(p)->n_vertices; i++) {
    sum += m[i] * sim_cloth_position(sim_play_cloth(p))[i][0];
    mass += m[i];
  }
  for (int i = 0; i < l.n_vertices; i++) {
    sum += bm[i] * l.position_m[i][0];
    mass += bm[i];
  }
  return sum / mass;
}

/* An elastic body and its case start alike: with nothing around them, Newton's first law is theirs, and
 * sealed air stays. */
static void start_together(void **state) {
  (void)state;
  static sim_scene s;
  sim_play *p;
  open_play(CASES
            "time: {duration_s: 0.02, step_ms: 2, solve_tolerance: 1e-6}\ngravity_m_per_s2: [0, 0, 0]\n"
            "layers: [{shape: pillow, length_mm: 100, cell_mm: 30, " SOFT
            ", velocity_mm_per_s: [100, 0, 0],\n"
            "  case: {vertices: 150}, air: {permeability_mm_per_s: 0}}]\n",
            &s, &p);
  const double first_J = sim_play_air_of(p, 0).amount_J, x = middle_x(p);
  for (int i = 0; i < 10; i++) assert_ok(sim_play_step(p, NULL, err));
  /* The solver leaves 1e-6 of what it solves for, in each of the steps. */
  assert_near(middle_x(p), x + 0.002, 10 * 1e-6 * 0.002);
  assert_near(sim_play_air_of(p, 0).amount_J, first_J, 1e-12 * first_J);
  sim_play_free(p);
}

static void several_sheets(void **state) {
  (void)state;
  static sim_scene s;
  sim_play *p;
  open_play(
      "name: a\n"
      "sheet:\n"
      "  - {shape: rectangle, length_mm: 60, width_mm: 60, vertices: 60, at_mm: [0, 0, 60]}\n"
      "  - {shape: disc, radius_mm: 30, vertices: 60, at_mm: [100, 0, 60], turned_deg: [0, 90, 0]}\n" MATERIAL
          TIME,
      &s, &p);
  assert_int_equal(sim_play_parts(p), 2);
  sim_play_part disc = sim_play_part_of(p, 1);
  assert_int_equal(disc.layer, -1);
  assert_int_equal(disc.first_vertex + disc.n_vertices, sim_play_mesh(p)->n_vertices);
  for (int i = 0; i < disc.n_vertices; i++) {
    const double *x = sim_play_mesh(p)->position_m[disc.first_vertex + i];
    assert_near(x[0], 0.1, 1e-12);
    assert_true(hypot(x[1], x[2] - 0.06) <= 0.03 + 1e-12);
  }
  assert_ok(sim_play_step(p, NULL, err));
  sim_play_free(p);
}

/* ---- checkpoints ---- */

static void checkpoints(void **state) {
  (void)state;
  static sim_scene s, other;
  sim_play *p, *q;
  char path[400], *data;
  size_t n;
  open_play(CASES TIME PILLOW, &s, &p);
  for (int i = 0; i < 3; i++) assert_ok(sim_play_step(p, NULL, err));
  assert_ok(sim_play_save(p, cbt_path("c", path), err));
  assert_ok(cb_file_read(path, 1 << 24, &data, &n, err));
  open_play(CASES TIME PILLOW, &other, &q);
  assert_ok(sim_play_load(q, path, err));
  assert_int_equal(sim_play_done(q), 3);
  const double x = sim_play_layer_of(q, 0).position_m[0][0];
  for (size_t at = 0; at < n; at += n / 40 + 1) {
    cb_err why = {""};
    data[at] ^= 0x41;
    assert_int_not_equal(sim_play_restore(q, (const unsigned char *)data, n, "c", &why), CB_OK);
    assert_true(why.msg[0] != '\0');
    data[at] ^= 0x41;
  }
  for (int k = 0; k < 2; k++) {
    cb_err why = {""};
    assert_int_not_equal(sim_play_restore(q, (const unsigned char *)data, k == 0 ? n - 1 : 5, "c", &why),
                         CB_OK);
  }
  assert_near(sim_play_layer_of(q, 0).position_m[0][0], x, 0);
  for (int i = 3; i < 10; i++) {
    assert_ok(sim_play_step(p, NULL, err));
    assert_ok(sim_play_step(q, NULL, err));
  }
  assert_memory_equal(sim_cloth_position(sim_play_cloth(p)), sim_cloth_position(sim_play_cloth(q)),
                      24 * (size_t)sim_play_mesh(p)->n_vertices);
  sim_play_free(q);
  open_play(CASES TIME "layers: [{shape: pillow, length_mm: 100, cell_mm: 30, " SOFT
                       ", case: {vertices: 150}, air: {permeability_mm_per_s: 51}}]\n",
            &other, &q);
  cb_err why = {""};
  assert_int_not_equal(sim_play_load(q, path, &why), CB_OK);
  assert_non_null(strstr(why.msg, "belongs to another scene"));
  sim_play_free(q);
  sim_play_free(p);
  free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_si),
      cmocka_unit_test(borders_are_open_without_a_case),
      cmocka_unit_test(refused),
      cmocka_unit_test_setup_teardown(not_made, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test(told_motion),
      cmocka_unit_test(start_together),
      cmocka_unit_test(several_sheets),
      cmocka_unit_test_setup_teardown(checkpoints, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
