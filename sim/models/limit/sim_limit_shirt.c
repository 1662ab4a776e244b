#include "sim_limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_mesh.h"
#include "sim_shape.h"
#include "sim_vec.h"

#define LOOSE_M 0.025 /* from the skin */
#define MEETS_M                                                                                            \
  0.006 /* from the skin, where the cloth is stopped: its triangles are larger than the body's and cut its \
           bends short */
#define MANNEQUIN 4000 /* vertices */

/* Where a torso of 0.75 m is cut across: the axis, how far along it. */
typedef struct rim {
  int axis;
  double at_m;
} rim;
static const rim rims[] = {{2, 0.14}, {2, 0.605}, {0, 0.285}, {0, -0.285}}; /* hem, collar, sleeves */
#define RIMS (sizeof rims / sizeof rims[0])

static double mean_edge_m(const sim_mesh *m) {
  double sum = 0;
  for (int e = 0; e < m->n_edges; e++) {
    double d[3];
    sim_sub(m->position_m[m->edge[e].vertex[1]], m->position_m[m->edge[e].vertex[0]], d);
    sum += sim_norm(d) / m->n_edges;
  }
  return sum;
}

/* Vertices near a cut move onto it, so that the rim is straight. */
static void straighten(sim_mesh *m) {
  const double near_m = mean_edge_m(m) / 2;
  for (int i = 0; i < m->n_vertices; i++)
    for (size_t k = 0; k < RIMS; k++) {
      double *x = &m->position_m[i][rims[k].axis];
      if (fabs(*x - rims[k].at_m) < near_m) *x = rims[k].at_m;
    }
}

/* What is sewn covers all of the torso; the rims are where the triangles leave off. */
static bool is_shirt(const sim_mesh *m, int t) {
  double middle[3] = {0, 0, 0};
  for (int c = 0; c < 3; c++) sim_add(middle, 1.0 / 3, m->position_m[m->triangle[t][c]]);
  return middle[2] > rims[0].at_m && middle[2] < rims[1].at_m && fabs(middle[0]) < rims[2].at_m;
}

static cb_status cut_shirt(const sim_mesh *whole, sim_mesh *out, cb_err *err) {
  static const double up[3] = {0, 0, 1};
  cb_status st = CB_OK;
  const size_t n = (size_t)whole->n_vertices;
  int kept = 0, vertices = 0;
  int *number = malloc(n * sizeof *number), (*t)[3] = malloc((size_t)whole->n_triangles * sizeof *t);
  double(*x)[3] = malloc(n * sizeof *x);
  if (!number || !t || !x) CB_GOTO(cb_no_memory(err, "shirt"));
  for (size_t i = 0; i < n; i++) number[i] = -1;
  for (int k = 0; k < whole->n_triangles; k++) {
    if (!is_shirt(whole, k)) continue;
    for (int c = 0; c < 3; c++) {
      const int v = whole->triangle[k][c];
      if (number[v] < 0) {
        number[v] = vertices;
        memcpy(x[vertices++], whole->position_m[v], sizeof *x);
      }
      t[kept][c] = number[v];
    }
    kept++;
  }
  CB_GOTO(sim_mesh_skin_along((const sim_vec3 *)x, vertices, (const int(*)[3])t, up, kept, out, err));
done:
  free(number);
  free(t);
  free(x);
  return st;
}

static cb_status make_solid(const sim_shape_body *torso, double offset_m, sim_solid **out, cb_err *err) {
  sim_shape_surface skin;
  CB_TRY(sim_shape_skin(torso, offset_m, MANNEQUIN, &skin, err));
  cb_status st = sim_solid_new((const sim_vec3 *)skin.x_m, skin.n_vertices, (const int(*)[3])skin.triangle,
                               skin.n_triangles, out, err);
  sim_shape_surface_clear(&skin);
  return st;
}

cb_status sim_shirt_make(int about_vertices, sim_shirt *out, sim_mesh *mesh, cb_err *err) {
  const sim_shape_body torso = sim_shape_make(SIM_SHAPE_TORSO, 0);
  sim_mesh whole = {0};
  sim_shape_case c = {.offset_m = LOOSE_M, .about_vertices = about_vertices, .warp = {0, 0, 1}};
  cb_status st = CB_OK;
  *out = (sim_shirt){.solid = NULL};
  CB_GOTO(make_solid(&torso, 0, &out->skin, err));
  CB_GOTO(make_solid(&torso, MEETS_M, &out->solid, err));
  out->body = (sim_body){.shape = SIM_TRIANGLES, .axis = {0, 0, 1}, .solid = out->solid};
  c.body_vertices = sim_solid_vertices(out->skin, &c.body_m);
  c.body_triangles = sim_solid_triangles(out->skin, &c.body_triangle);
  CB_GOTO(sim_shape_sew(&torso, &c, &whole, err));
  straighten(&whole);
  CB_GOTO(cut_shirt(&whole, mesh, err));
done:
  sim_mesh_clear(&whole);
  return st;
}

void sim_shirt_clear(sim_shirt *s) {
  sim_solid_free(s->skin);
  sim_solid_free(s->solid);
  *s = (sim_shirt){0};
}
