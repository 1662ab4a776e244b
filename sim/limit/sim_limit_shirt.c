#include "sim_limit_shirt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_shape.h"

#define LOOSE_M 0.025  /* from the skin */
#define MANNEQUIN 4000 /* vertices */
#define HEM_M 0.14     /* heights, and half a width from sleeve to sleeve, of a torso of 0.75 m */
#define COLLAR_M 0.605
#define SLEEVE_M 0.285

/* What is sewn covers all of the torso; the rims are where the triangles leave off. */
static bool is_shirt(const sim_mesh *m, int t) {
  double middle[3] = {0, 0, 0};
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) middle[k] += m->position_m[m->triangle[t][c]][k] / 3;
  return middle[2] > HEM_M && middle[2] < COLLAR_M && fabs(middle[0]) < SLEEVE_M;
}

static cb_status cut(const sim_mesh *whole, sim_mesh *out, cb_err *err) {
  cb_status st = CB_OK;
  const size_t n = (size_t)whole->n_vertices, nt = (size_t)whole->n_triangles;
  int kept = 0, vertices = 0;
  int *number = malloc(n * sizeof *number), (*t)[3] = malloc(nt * sizeof *t);
  double(*x)[3] = malloc(n * sizeof *x), (*corner)[3][2] = malloc(nt * sizeof *corner);
  if (!number || !t || !x || !corner) CB_GOTO(cb_fail(err, CB_E_NOMEM, "shirt: out of memory"));
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
    memcpy(corner[kept++], whole->corner_m[k], sizeof *corner);
  }
  CB_GOTO(sim_mesh_build((const double(*)[3])x, vertices, (const int(*)[3])t, (const double(*)[3][2])corner, kept, out, err));
done:
  free(number);
  free(t);
  free(x);
  free(corner);
  return st;
}

cb_status sim_shirt_make(int about_vertices, sim_shirt *out, sim_mesh *mesh, cb_err *err) {
  const sim_shape_body torso = sim_shape_make(SIM_SHAPE_TORSO, 0);
  sim_shape_surface skin = {0};
  sim_mesh whole = {0};
  cb_status st = CB_OK;
  *out = (sim_shirt){.solid = NULL};
  CB_GOTO(sim_shape_skin(&torso, 0, MANNEQUIN, &skin, err));
  CB_GOTO(sim_solid_new((const double(*)[3])skin.x_m, skin.n_vertices, (const int(*)[3])skin.triangle, skin.n_triangles, &out->solid, err));
  out->body = (sim_body){.shape = SIM_TRIANGLES, .axis = {0, 0, 1}, .solid = out->solid};
  const sim_shape_case c = {.offset_m = LOOSE_M,
                            .about_vertices = about_vertices,
                            .warp = {0, 0, 1},
                            .body_m = (const double(*)[3])skin.x_m,
                            .body_triangle = (const int(*)[3])skin.triangle,
                            .body_vertices = skin.n_vertices,
                            .body_triangles = skin.n_triangles};
  CB_GOTO(sim_shape_sew(&torso, &c, &whole, err));
  CB_GOTO(cut(&whole, mesh, err));
done:
  sim_mesh_clear(&whole);
  sim_shape_surface_clear(&skin);
  return st;
}

void sim_shirt_clear(sim_shirt *s) {
  sim_solid_free(s->solid);
  *s = (sim_shirt){0};
}
