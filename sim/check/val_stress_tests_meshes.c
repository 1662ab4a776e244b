/* Meshes that are none: refused by a sentence that names the place. And needles, which are meshes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "val_stress_tests_impl.h"

#define NV 9
#define NT 8

/* Two by two squares of 5 cm, each cut in two; what the cases change. */
typedef struct patch {
  double position[NV + 1][3], corner[NT + 1][3][2];
  int triangle[NT + 1][3], n_vertices, n_triangles;
} patch;

static void fill_corners(patch *p) {
  for (int t = 0; t < p->n_triangles; t++)
    for (int k = 0; k < 3; k++)
      memcpy(p->corner[t][k], p->position[p->triangle[t][k]], sizeof p->corner[t][k]);
}

static void plain(patch *p) {
  *p = (patch){.n_vertices = NV, .n_triangles = NT};
  for (int i = 0; i < NV; i++) {
    p->position[i][0] = 0.05 * (i % 3);
    const int row = i / 3;
    p->position[i][1] = 0.05 * row;
    p->position[i][2] = 0.02;
  }
  for (int t = 0; t < NT; t++) {
    const int cell = t / 2, low = 3 * (cell / 2) + cell % 2;
    const int two[2][3] = {{low, low + 1, low + 4}, {low, low + 4, low + 3}};
    memcpy(p->triangle[t], two[t % 2], sizeof two[0]);
  }
  fill_corners(p);
}

static void no_area(patch *p) { memcpy(p->corner[5][2], p->corner[5][1], sizeof p->corner[5][2]); }

static void twice(patch *p) {
  memcpy(p->triangle[NT], p->triangle[2], sizeof p->triangle[NT]);
  memcpy(p->corner[NT], p->corner[2], sizeof p->corner[NT]);
  p->n_triangles++;
}

static void one_vertex_twice(patch *p) { p->triangle[3][1] = p->triangle[3][0]; }

static void lonely(patch *p) { p->n_vertices++; }

static void inverted(patch *p) {
  const int first = p->triangle[6][0];
  p->triangle[6][0] = p->triangle[6][1];
  p->triangle[6][1] = first;
  fill_corners(p);
}

static void infinite(patch *p) { p->position[4][1] = NAN; }

/* The middle row close to the first: triangles 50 mm long and flat. */
static void flatten(patch *p, double high_m) {
  for (int i = 3; i < 6; i++) p->position[i][1] = high_m;
  fill_corners(p);
}

static void needles(patch *p) { flatten(p, 5e-5); }
static void hairs(patch *p) { flatten(p, 5e-6); }

static const struct {
  const char *name;
  void (*make)(patch *plain);
  const char *says; /* NULL: is simulated */
} mesh_case[] = {
    {"meshes: zero area", no_area, "triangle 5"},
    {"meshes: triangle twice", twice, "triangle 8"},
    {"meshes: vertex twice in one", one_vertex_twice, "triangle 3"},
    {"meshes: vertex of none", lonely, "vertex 9"},
    {"meshes: turned over", inverted, "triangle 6"},
    {"meshes: NaN", infinite, "vertex 4"},
    {"meshes: needles 1:1000", needles, NULL},
    {"meshes: needles 1:10000", hairs, NULL},
};

static cb_status drop_needles(hard_lab *lab, const patch *p, val_stress_test *row, cb_err *err) {
  sim_mesh_clear(&lab->mesh);
  CB_TRY(sim_mesh_build(p->position, p->n_vertices, p->triangle, (const double(*)[3][2])p->corner,
                        p->n_triangles, &lab->mesh, err));
  lab->body[0] =
      (sim_body){.shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = {.mu_kinetic = 0.3, .mu_static = 0.3}};
  lab->setup.n_bodies = 1;
  lab->material.thickness_m = 1e-6; /* layers of such a mesh are nearer to each other than a cloth is thick */
  CB_TRY(hard_lab_start(lab, err));
  return hard_run(lab, 0.005, 100, NULL, row, err);
}

static cb_status refused(const patch *p, const char *says, val_stress_test *row) {
  sim_mesh mesh;
  cb_err why = {""};
  cb_status st = sim_mesh_build(p->position, p->n_vertices, p->triangle, (const double(*)[3][2])p->corner,
                                p->n_triangles, &mesh, &why);
  if (st == CB_OK) sim_mesh_clear(&mesh);
  (void)snprintf(row->outcome, sizeof row->outcome, st == CB_OK ? "taken" : "refused: %.300s", why.msg);
  row->vertices = p->n_vertices;
  row->nearest = INFINITY;
  row->pass = (st == CB_E_RANGE || st == CB_E_NUM) && strstr(why.msg, says);
  return st == CB_E_NOMEM ? st : CB_OK;
}

static cb_status simulate_patch(const patch *p, val_stress_test *row, cb_err *err) {
  hard_lab lab;
  cb_status st = hard_lab_init(&lab, 0.1, 0.02, 50, err);
  if (st == CB_OK) st = drop_needles(&lab, p, row, err);
  hard_lab_clear(&lab);
  return st;
}

cb_status hard_meshes(val_stress_tests *out, cb_err *err) {
  for (size_t k = 0; k < sizeof mesh_case / sizeof *mesh_case; k++) {
    patch p;
    plain(&p);
    mesh_case[k].make(&p);
    val_stress_test *row = &out->row[out->n++];
    (void)snprintf(row->name, sizeof row->name, "%s", mesh_case[k].name);
    if (!mesh_case[k].says)
      CB_TRY(simulate_patch(&p, row, err));
    else if (refused(&p, mesh_case[k].says, row) != CB_OK)
      return cb_no_memory(err, "%s", mesh_case[k].name);
  }
  return CB_OK;
}
