/* Allocation failure (alloctest.h) in the simulator. */
#include "alloctest.h"
#include "playtest.h"
#include "sim_clothing.h"
#include "sim_bending.h"
#include "sim_bending_friction.h"
#include "sim_cloth.h"
#include "sim_cloth_room.h"
#include "sim_converge.h"
#include "sim_curtain.h"
#include "sim_limit.h"
#include "sim_limit_project.h"
#include "sim_mesh.h"
#include "sim_mesh_place.h"
#include "sim_conditions.h"
#include "sim_remesh.h"
#include "sim_self.h"
#include "sim_shape.h"
#include "sim_table.h"
#include "sim_tally.h"
#include "sim_write_files.h"
#include "val_drape_inverse.h"
#include "val_strip_impl.h"
#include "val_drape_table_impl.h"
#include "sim_picture_draw.h"
#include "sim_play_parts.h"

static cb_status make_rectangle(void *context, cb_err *err) {
  sim_mesh m;
  cb_status st = sim_mesh_rectangle(context, &m, err);
  if (st == CB_OK) assert_int_equal(m.n_vertices - m.n_edges + m.n_triangles, 1);
  sim_mesh_clear(&m);
  return st;
}

static cb_status make_disc(void *context, cb_err *err) {
  sim_mesh m;
  cb_status st = sim_mesh_disc(context, &m, err);
  if (st == CB_OK) assert_int_equal(m.n_vertices - m.n_edges + m.n_triangles, 1);
  sim_mesh_clear(&m);
  return st;
}

static cb_status join(void *mesh, cb_err *err) {
  sim_mesh m;
  cb_status st = sim_mesh_join(mesh, 1, &m, err);
  sim_mesh_clear(&m);
  return st;
}

static void makers(void **state) {
  (void)state;
  for (int p = SIM_PATTERN_RIGHT; p < SIM_PATTERN_COUNT; p++) {
    sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = p, .cells_across = 5};
    assert_true(at_sweep(make_rectangle, &r) >= 20);
  }
  sim_rectangle r = {.length_m = 1, .width_m = 1, .cells_across = 5};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_true(at_sweep(join, &m) >= 12);
  sim_mesh_clear(&m);
  for (int p = SIM_PATTERN_EQUILATERAL; p <= SIM_PATTERN_IRREGULAR; p++) {
    sim_disc d = {.n_circles = 2, .circle = {{0, 0.2}, {1, 0.2}}, .pattern = p};
    assert_true(at_sweep(make_disc, &d) >= 20);
  }
}

static cb_status make_particles(void *mesh, cb_err *err) {
  sim_conditions_setup s = sim_conditions_setup_default(mesh);
  sim_conditions *p;
  s.law[SIM_CONDITIONS_STRETCH].k = 10;
  CB_TRY(sim_conditions_new(&s, &p, err));
  cb_status st = sim_conditions_step(p, 0.01, NULL, err);
  sim_conditions_free(p);
  return st;
}

/* A ball of liquid in a ball of cloth that tears in its first step. */
static const char splash_text[] =
    "name: a\n"
    "sheet: {shape: ball, radius_mm: 60, cells: 4, at_mm: [500, 500, 500]}\n"
    "material: {areal_density_g_per_m2: 150, thickness_mm: 1, stretch_N_per_m: 1000, bend_uN_m: 10, "
    "damping_ms: "
    "2}\n"
    "splash:\n"
    "  spacing_mm: 20\n"
    "  tear_strain: 0.0001\n"
    "  liquid: [{centre_mm: [500, 500, 500], radius_mm: 30, velocity_m_per_s: [0, 0, -3]}]\n"
    "time: {duration_s: 0.02, step_ms: 5}\n";

static cb_status spill(void *context, cb_err *err) {
  (void)context;
  sim_play *s;
  CB_TRY(parse_play(splash_text, &s, err));
  cb_status st = CB_OK;
  for (int k = 0; k < sim_play_steps(s) && st == CB_OK; k++) st = sim_play_step(s, NULL, err);
  if (st == CB_OK) assert_true(sim_play_value(s, "torn") > 0);
  free_play(s);
  return st;
}

static void splash(void **state) {
  (void)state;
  assert_true(at_sweep(spill, NULL) >= 60);
}

static void particles(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .cells_across = 3};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_true(at_sweep(make_particles, &m) >= 20);
  sim_mesh_clear(&m);
}

/* CHOLMOD's own memory is not counted. */
static cb_status limit_strain(void *mesh, cb_err *err) {
  const sim_mesh *m = mesh;
  double x[16][3];
  sim_limit_report report;
  assert_int_equal(m->n_vertices, 16);
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 3; k++) x[i][k] = 1.2 * m->position_m[i][k];
  sim_limit_setup s = sim_limit_setup_default(m, m->vertex_area_m2); /* 1 kg/m2 */
  sim_limit *l;
  CB_TRY(sim_limit_new(&s, &l, err));
  cb_status st = sim_limit_project(l, x, &report, err);
  if (st == CB_OK) assert_true(report.within && report.rounds > 0);
  sim_limit_free(l);
  return st;
}

static void limits(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .cells_across = 3};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_true(at_sweep(limit_strain, &m) >= 20);
  sim_mesh_clear(&m);
}

/* A new mesh and its cloth: whatever fails, the old ones go on. */
static cb_status make_remesh(void *mesh, cb_err *err) {
  const sim_material material = sim_material_isotropic(0.15, 100, 1e-5);
  const sim_cloth_setup s = sim_cloth_setup_default(mesh, &material);
  const sim_remesh_rules rules = sim_remesh_rules_default(0.05, 0.2);
  sim_remesh *r;
  CB_TRY(sim_remesh_new(&s, &rules, &r, err));
  const int before = sim_remesh_of(r)->mesh.n_vertices;
  cb_status st = sim_remesh_now(r, NULL, err);
  assert_true((st == CB_OK) == (sim_remesh_of(r)->mesh.n_vertices > before));
  if (st == CB_OK) st = sim_cloth_step(sim_remesh_cloth(r), 0.01, NULL, err);
  sim_remesh_free(r);
  return st;
}

static void remeshing(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .cells_across = 2};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_true(at_sweep(make_remesh, &m) >= 100);
  sim_mesh_clear(&m);
}

static cb_status make_curtain(void *setup, cb_err *err) {
  sim_curtain *c;
  CB_TRY(sim_curtain_new(setup, &c, err));
  cb_status st = sim_curtain_step(c, 0.01, NULL, err);
  sim_curtain_free(c);
  return st;
}

static void curtain(void **state) {
  (void)state;
  sim_curtain_setup s = sim_curtain_setup_default();
  s.columns = 3, s.nodes = 4, s.spacing_m = 0.01;
  s.wind.pressure_Pa = s.wind.turbulence = 1;
  assert_true(at_sweep(make_curtain, &s) >= 6);
}

static cb_status stuff(void *body, cb_err *err) {
  sim_tets t;
  cb_status st = sim_shape_tets(body, 0.2, &t, err);
  sim_tets_clear(&t);
  return st;
}

static cb_status sew(void *body, cb_err *err) {
  const double x[4][3] = {{0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}};
  const int triangle[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  sim_shape_case c = {0.01, 100, {1, 0, 0}, x, triangle, 4, 4};
  sim_mesh m;
  cb_status st = sim_shape_sew(body, &c, &m, err);
  if (st == CB_OK) assert_int_equal(m.n_vertices - m.n_edges + m.n_triangles, 2);
  sim_mesh_clear(&m);
  return st;
}

static void shapes(void **state) {
  (void)state;
  sim_shape_body b = sim_shape_make(SIM_SHAPE_BALL, 0.6);
  assert_true(at_sweep(stuff, &b) >= 20);
  assert_true(at_sweep(sew, &b) >= 50);
}

static cb_status read_and_write(void *path, cb_err *err) {
  static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
  sim_obj_options opt = sim_obj_options_default();
  sim_mesh m;
  int *map = NULL;
  cb_status st = sim_mesh_obj_parse(text, strlen(text), "t", &opt, &m, &map, err);
  if (st == CB_OK) st = sim_mesh_obj_write(&m, (const double(*)[3])m.position_m, path, err);
  free(map);
  sim_mesh_clear(&m);
  return st;
}

static void obj(void **state) {
  (void)state;
  char path[400];
  assert_true(at_sweep(read_and_write, cbt_path("m.obj", path)) >= 30);
}

static cb_status make_bending(void *mesh, cb_err *err) {
  static const double D[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}}, rest[100][3] = {{1, 0, 0}};
  sim_bending b;
  sim_bending_friction f = {0};
  cb_status st = sim_bending_init(mesh, D, NULL, rest, &b, err);
  if (st == CB_OK) st = sim_bending_friction_init(&b, (const double[2]){1e-4, 1e-4}, 10, &f, err);
  if (st == CB_OK) assert_true(b.pairs.edge_high[0] != 0 && f.held.edge_high[0] != 0);
  sim_bending_friction_clear(&f);
  sim_bending_clear(&b);
  return st;
}

static void bending(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_ALTERNATING, .cells_across = 5};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_true(m.n_triangles <= 100);
  assert_true(at_sweep(make_bending, &m) >= 25);
  sim_mesh_clear(&m);
}

/* A cloth that finds its equilibrium; CHOLMOD's own memory is not counted. */
static cb_status hang(void *shape, cb_err *err) {
  val_strip strip;
  sim_cloth *cloth = NULL;
  sim_settle_report report;
  cb_status st = val_strip_init(shape, &strip, err);
  if (st == CB_OK) {
    sim_material m = sim_material_isotropic(0.15, 500, 1e-4);
    sim_cloth_setup setup = sim_cloth_setup_default(&strip.mesh, &m);
    setup.gripped = strip.clamped;
    st = sim_cloth_new(&setup, &cloth, err);
    int steps;
    if (st == CB_OK) st = sim_cloth_calm(cloth, 0.05, 1e-2, 20, &steps, err);
    if (st == CB_OK) st = sim_cloth_settle(cloth, 1e-6, 50, &report, err);
    if (st == CB_OK) assert_int_equal(report.outcome, SIM_SETTLED);
    sim_cloth_free(cloth);
  }
  val_strip_clear(&strip);
  return st;
}

static void settling(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 0.2, .width_m = 0.05, .pattern = SIM_PATTERN_RIGHT, .cells_across = 2};
  assert_true(at_sweep(hang, &r) >= 40);
}

static cb_status carry(void *mesh, cb_err *err) {
  const sim_mesh *m = mesh;
  double out[64][3];
  assert_true(m->n_vertices <= 64);
  return sim_mesh_carry(m, (const double(*)[3])m->position_m, m, out, err);
}

static void carrying(void **state) {
  (void)state;
  const sim_rectangle r = {.length_m = 0.2, .width_m = 0.05, .pattern = SIM_PATTERN_RIGHT, .cells_across = 2};
  sim_mesh mesh;
  assert_ok(sim_mesh_rectangle(&r, &mesh, err));
  assert_true(at_sweep(carry, &mesh) >= 2);
  sim_mesh_clear(&mesh);
}

/* ---- frames, pictures, solids, checkpoints, scenes ---- */

static cb_status torus(void *context, cb_err *err) {
  sim_solid *s;
  double n[3];
  cb_status st = sim_solid_torus(0.1, 0.03, 6, &s, err);
  if (st == CB_OK) assert_true(sim_solid_distance(s, (const double[3]){0, 0, 0}, n) > 0.06);
  sim_solid_free(s);
  (void)context;
  return st;
}

static cb_status cylinder(void *context, cb_err *err) {
  sim_solid *s;
  cb_status st = sim_solid_cylinder(0.1, 0.03, 6, &s, err);
  sim_solid_free(s);
  (void)context;
  return st;
}

static void solids(void **state) {
  (void)state;
  assert_true(at_sweep(cylinder, NULL) >= 11);
  assert_true(at_sweep(torus, NULL) >= 11);
}

static cb_status play_a_little(void *folder, cb_err *err) {
  static sim_scene s;
  static const char text[] =
      "name: a\n"
      "sheet: {shape: rectangle, length_mm: 100, width_mm: 100, pattern: right, vertices: 9}\n"
      "cloth: {rest_shape: as-made}\n"
      "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, "
      "shear_N_per_m: 50,\n"
      "    bend_warp_uN_m: 20, bend_weft_uN_m: 20}\n"
      "bodies: [{shape: sphere, radius_mm: 10, at_mm: [0, 0, -11]}]\n"
      "time: {duration_s: 0.01}\n"
      "output: {probes: [{name: p, at_mm: [0, 0, 0]}]}\n";
  char path[400];
  sim_play *p = NULL;
  sim_frame f = {0};
  sim_table *table = NULL;
  sim_view view = {.width_px = 16, .height_px = 16};
  sim_drawn drawn[8];
  cb_status st;
  CB_GOTO(sim_scene_parse(text, sizeof text - 1, "t", &s, err));
  CB_GOTO(sim_play_new(&s, &p, err));
  CB_GOTO(sim_play_step(p, NULL, err));
  CB_GOTO(sim_frame_init(sim_play_mesh(p), &f, err));
  CB_GOTO(sim_frame_take(sim_play_cloth(p), &f, err));
  (void)snprintf(path, sizeof path, "%s/file", (const char *)folder);
  CB_GOTO(sim_write_ply(&f, path, err));
  CB_GOTO(sim_write_vtp(&f, path, err));
  CB_GOTO(sim_write_pvd((const double[]){0}, (const char *const[]){"a"}, 1, path, err));
  CB_GOTO(sim_picture_of(drawn, sim_picture_surfaces(&f, drawn), sim_cloth_bodies(sim_play_cloth(p)), 1,
                         &view, path, err));
  CB_GOTO(sim_table_new(p, path, &table, err));
  CB_GOTO(sim_table_add(table, p, err));
  CB_GOTO(sim_play_save(p, path, err));
  CB_GOTO(sim_play_load(p, path, err));
done:
  sim_table_close(table);
  sim_frame_clear(&f);
  sim_play_free(p);
  return st;
}

static void play(void **state) {
  (void)state;
  assert_true(at_sweep(play_a_little, cbt_folder) >= 60);
}

/* A soft block and air under a sheet, a hard surface. */
/* Without memory the run fails: what the statement lacks is not said of the scene. */
static cb_status converge(void *context, cb_err *err) {
  static sim_scene s;
  static const char text[] =
      "name: a\n"
      "sheet: {shape: rectangle, length_mm: 100, width_mm: 100, vertices: 60}\n"
      "material: {areal_density_g_per_m2: 150, stretch_N_per_m: 500, shear_N_per_m: 50, bend_uN_m: 20}\n"
      "time: {duration_s: 0.02}\n"
      "output: {probes: [{name: p, at_mm: [0, 0, 0]}]}\n";
  sim_play *p = NULL;
  sim_converge *c = NULL;
  sim_convergence told;
  cb_status st;
  (void)context;
  CB_GOTO(sim_scene_parse(text, sizeof text - 1, "t", &s, err));
  CB_GOTO(sim_play_new(&s, &p, err));
  CB_GOTO(sim_converge_new(&s, p, &c, err));
  while (sim_play_done(p) < sim_play_steps(p)) {
    CB_GOTO(sim_play_step(p, NULL, err));
    CB_GOTO(sim_converge_follow(c, err));
  }
  sim_converge_tell(c, &told);
  assert_string_equal(told.why, "");
done:
  sim_converge_free(c);
  sim_play_free(p);
  return st;
}

static void converges(void **state) {
  (void)state;
  assert_true(at_sweep(converge, NULL) >= 100);
}

static cb_status play_layers(void *folder, cb_err *err) {
  static sim_scene s;
  static const char text[] =
      "name: a\n"
      "sheet: {shape: rectangle, length_mm: 50, width_mm: 50, pattern: right, vertices: 9, at_mm: [0, 0, "
      "60]}\n"
      "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, "
      "shear_N_per_m: 50,\n"
      "    bend_warp_uN_m: 20, bend_weft_uN_m: 20}\n"
      "layers:\n"
      "  - {shape: block, size_mm: [50, 50, 50], cells: [1, 1, 1], density_kg_per_m3: 30, young_kPa: 20, "
      "poisson: 0.3, friction: 0.3,\n"
      "     air: {permeability_mm_per_s: 50, open_border: true}}\n"
      "  - {shape: surface, file: FILE, rigid: true, friction: 0.3, at_mm: [0, 0, -500]}\n"
      "time: {duration_s: 0.01}\n";
  char path[400];
  sim_play *p = NULL;
  sim_frame f = {0};
  sim_table *table = NULL;
  sim_tally tally;
  sim_step_report report;
  sim_view view = {.width_px = 16, .height_px = 16};
  sim_drawn drawn[8];
  cb_status st;
  CB_GOTO(sim_scene_parse(text, sizeof text - 1, "t", &s, err));
  (void)snprintf(s.layer[1].file, sizeof s.layer[1].file, "%s/body.obj", (const char *)folder);
  CB_GOTO(sim_play_new(&s, &p, err));
  tally = sim_tally_begin(p);
  CB_GOTO(sim_play_step(p, &report, err));
  sim_tally_add(&tally, p, &report);
  CB_GOTO(sim_tally_end(&tally, p, err));
  CB_GOTO(sim_clothing_frame_init(sim_clothing_of(p), &f, err));
  CB_GOTO(sim_clothing_frame(sim_clothing_of(p), &f, err));
  (void)snprintf(path, sizeof path, "%s/file", (const char *)folder);
  CB_GOTO(sim_write_body_vtp(&f, 0, path, err));
  CB_GOTO(sim_write_body_ply(&f, 0, path, err));
  CB_GOTO(sim_write_body_obj(&f, 0, path, err));
  CB_GOTO(sim_picture_of(drawn, sim_picture_surfaces(&f, drawn), NULL, 0, &view, path, err));
  CB_GOTO(sim_table_new(p, path, &table, err));
  CB_GOTO(sim_table_add(table, p, err));
  CB_GOTO(sim_play_save(p, path, err));
  CB_GOTO(sim_play_load(p, path, err));
done:
  sim_table_close(table);
  sim_frame_clear(&f);
  sim_play_free(p);
  return st;
}

static void layers(void **state) {
  (void)state;
  char path[400];
  cbt_write(cbt_path("body.obj", path),
            "v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  assert_true(at_sweep(play_layers, cbt_folder) >= 120);
}

/* A square folded in two, whose upper half falls through the lower one. */
static cb_status collide(void *mesh, cb_err *err) {
  const sim_mesh *m = mesh, *const meshes[] = {m};
  const sim_self_options o = {.thickness_m = 0.02, .rounds = 10};
  const sim_self_contact *list;
  sim_self_report report;
  sim_self *s;
  double x[64][3], y[64][3];
  int n = 0;
  for (int v = 0; v < m->n_vertices; v++) {
    const double *p = m->position_m[v];
    const double at[3] = {p[0] < 0.5 ? p[0] : 1 - p[0], p[1] + 0.03 * p[0], 0.05 * p[0]};
    memcpy(x[v], at, sizeof x[v]);
    memcpy(y[v], at, sizeof y[v]);
    if (p[0] > 0.5) y[v][2] -= 0.2;
  }
  CB_TRY(sim_self_new(meshes, NULL, 1, &o, &s, err));
  cb_status st = sim_self_contacts(s, (const double(*)[3])x, 0.04, &list, &n, err);
  if (st == CB_OK) assert_true(n > 0);
  if (st == CB_OK) st = sim_self_resolve(s, (const double(*)[3])x, y, &report, err);
  if (st == CB_OK) assert_true(report.impacts > 0);
  if (st == CB_OK) assert_int_equal(sim_self_crossings(s, (const double(*)[3])y), 0);
  sim_self_free(s);
  return st;
}

static void self_collision(void **state) {
  (void)state;
  sim_rectangle r = {.length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_ALTERNATING, .cells_across = 6};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_true(m.n_vertices <= 64);
  assert_true(at_sweep(collide, &m) >= 40);
  sim_mesh_clear(&m);
}

static cb_status infer(void *text, cb_err *err) {
  static val_drape_model m;
  val_drape_table t;
  val_drape_lattice *l = NULL;
  val_drape_inverse v;
  val_drape_prior q = val_drape_prior_default();
  const val_drape_group g = {.specimen = 0, .n = 3, .mean = {0, 8, 0.13, 0.1}, .sd = {NAN, NAN, NAN, NAN}};
  cb_status st = val_drape_table_parse(text, strlen(text), "t.csv", &t, err);
  if (st == CB_OK) st = val_drape_model_make(&t, "t.csv", &m, err);
  if (st == CB_OK) st = val_drape_lattice_make(&m, &q, NULL, 0, &l, err);
  if (st == CB_OK) st = val_drape_infer(l, &g, 1, &q, &v, err);
  if (st == CB_OK) assert_true(v.signs == 4 && v.estimate[VAL_DRAPE_B].sd_ln > 0);
  val_drape_lattice_free(l);
  val_drape_table_clear(&t);
  return st;
}

static void drapes(void **state) {
  (void)state;
  char text[4000], *at = text;
  at += sprintf(
      at,
      "support_cm,specimen_cm,vertices,seed,bending_length_mm,bending_ratio,shear_length_m,softening,drape_"
      "coefficient,nodes,"
      "amplitude_mm,elongation\n");
  for (int i = 0; i < 32; i++)
    at += sprintf(at, "18,30,2500,%d,%d,%g,%d,%g,%g,%d,%d,%g\n", i, 10 + i, 1 + i * 7 % 32 * 0.1,
                  5 + i * 11 % 32, 1.2 + i * 5 % 32 * 0.01, 0.2 + i * 0.02, 12 - i / 4, 20 - i % 3,
                  0.01 + i % 5 * 0.001);
  assert_true(at_sweep(infer, text) >= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(makers),
      cmocka_unit_test(shapes),
      cmocka_unit_test(drapes),
      cmocka_unit_test(particles),
      cmocka_unit_test(limits),
      cmocka_unit_test(remeshing),
      cmocka_unit_test(splash),
      cmocka_unit_test(curtain),
      cmocka_unit_test(self_collision),
      cmocka_unit_test(solids),
      cmocka_unit_test(settling),
      cmocka_unit_test(carrying),
      cmocka_unit_test_setup_teardown(play, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test(converges),
      cmocka_unit_test_setup_teardown(layers, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test(bending),
      cmocka_unit_test_setup_teardown(obj, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
