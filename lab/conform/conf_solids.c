/* The rigid bodies of an experiment, in this program's own simulator. */
#include <math.h>

#include "conf_own.h"

#define DEPTH_M 0.02 /* of a pad */

static cb_status make_pad(const conf_pads *p, sim_solid **out, cb_err *err) {
  static const int side[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  double corner[8][3];
  int triangle[12][3];
  for (int i = 0; i < 8; i++) {
    corner[i][0] = p->x_m[i & 1];
    corner[i][1] = p->y_m[i >> 1 & 1];
    corner[i][2] = i & 4 ? DEPTH_M / 2 : -DEPTH_M / 2;
  }
  for (int i = 0; i < 12; i++)
    for (int k = 0; k < 3; k++) triangle[i][k] = side[i / 2][k == 0 ? 0 : k + i % 2];
  return sim_solid_new((const double(*)[3])corner, 8, (const int(*)[3])triangle, 12, out, err);
}

cb_status conf_solids_make(const conf_case *c, conf_solids *out, cb_err *err) {
  const double mu = c->cloth.friction.value;
  const sim_friction friction = {.mu_kinetic = mu, .mu_static = mu};
  *out = (conf_solids){.n = 0};
  if (c->plane) out->body[out->n++] = (sim_body){.shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = friction};
  if (c->drum_m > 0)
    out->body[out->n++] =
        (sim_body){.shape = SIM_CYLINDER, .axis = {0, 1, 0}, .radius_m = c->drum_m, .friction = friction};
  if (c->pads.force_N == 0) return CB_OK;
  CB_TRY(make_pad(&c->pads, &out->pad, err));
  for (int k = 0; k < 2; k++)
    out->body[out->n++] =
        (sim_body){.shape = SIM_TRIANGLES, .axis = {0, 0, 1}, .solid = out->pad, .friction = friction};
  return CB_OK;
}

/* Between two bodies this simulator's cloth is pressed by its compression. So the pads close to the gap at
 * which the area between them takes the force. */
void conf_solids_press(const conf_case *c, const sim_material *material, sim_cloth *cloth) {
  const conf_pads *p = &c->pads;
  const double(*x)[3] = (const double(*)[3])sim_cloth_position(cloth);
  double area = 0;
  if (p->force_N == 0) return;
  for (int i = 0; i < c->n_vertices; i++)
    if (x[i][0] > p->x_m[0] && x[i][0] < p->x_m[1]) area += sim_cloth_mesh(cloth)->vertex_area_m2[i];
  const double gap = material->thickness_m / (1 + p->force_N / fmax(area, 1e-9) / material->compression_Pa);
  for (int k = 0; k < 2; k++)
    sim_cloth_bodies(cloth)[k].origin_m[2] = p->apart_m / 2 + (2 * k - 1) * (gap + DEPTH_M) / 2;
}
