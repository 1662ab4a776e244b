#include "sim_liquid_skin.h"

#include <stdlib.h>
#include <string.h>

static const int corner_axis[SIM_BALL_CORNERS] = {0, 0, 1, 1, 2, 2},
                 corner_side[SIM_BALL_CORNERS] = {1, -1, 1, -1, 1, -1};
static const int face[SIM_BALL_FACES][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};

cb_status sim_balls_init(int n, sim_surface *out, cb_err *err) {
  *out = (sim_surface){.n_vertices = SIM_BALL_CORNERS * n, .n_triangles = SIM_BALL_FACES * n};
  out->position_m = calloc((size_t)out->n_vertices + 1, sizeof *out->position_m);
  out->triangle = malloc(((size_t)out->n_triangles + 1) * sizeof *out->triangle);
  if (!out->position_m || !out->triangle) return cb_no_memory(err, "%d balls", n);
  for (int t = 0; t < out->n_triangles; t++)
    for (int k = 0; k < 3; k++)
      out->triangle[t][k] = t / SIM_BALL_FACES * SIM_BALL_CORNERS + face[t % SIM_BALL_FACES][k];
  return CB_OK;
}

void sim_balls_place(sim_surface *s, const double (*x_m)[3], double radius_m) {
  for (int i = 0; i < s->n_vertices; i++) {
    const int c = i % SIM_BALL_CORNERS;
    memcpy(s->position_m[i], x_m[i / SIM_BALL_CORNERS], sizeof *s->position_m);
    s->position_m[i][corner_axis[c]] += corner_side[c] * radius_m;
  }
}
