/* What is wrong at the end of a run: cloth inside of bodies, tetrahedra inside out. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "sim_clothing.h"
#include "sim_tally.h"
#include "sim_vec.h"
#include "cb_plural.h"

/* A vertex on a surface may be inside by rounding. */
#define ROUNDING_M 1e-6

static void look_inside(const sim_body *body, const double x_m[3], sim_in_body *in) {
  sim_touch touch;
  if (!sim_body_near(body, x_m, -ROUNDING_M, &touch)) return;
  in->vertices++;
  in->deepest_m = fmax(in->deepest_m, -touch.distance_m);
}

static void look_at_clothing(const sim_clothing *p, const sim_body *body, sim_in_body *in) {
  if (p->scene->no_cloth) return;
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(p->cloth);
  for (int i = 0; i < p->mesh.n_vertices; i++)
    if (!p->gripped[i]) look_inside(body, x[i], in);
}

/* Of the other models: the surfaces that are no body. */
static void look_at_surfaces(const sim_drawn *drawn, int n, const sim_body *body, sim_in_body *in) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < (drawn[k].sharp ? 0 : drawn[k].n_vertices); i++)
      look_inside(body, drawn[k].position_m[i], in);
}

void sim_play_in_bodies(sim_play *play, sim_in_body *in_body) {
  const sim_clothing *p = sim_clothing_of(play);
  const sim_body *body = p && p->cloth ? sim_cloth_bodies(p->cloth) : sim_play_bodies(play);
  sim_drawn drawn[SIM_PLAY_SURFACES];
  const int n = p ? 0 : sim_play_surfaces(play, drawn);
  for (int b = 0; b < sim_play_scene(play)->n_bodies; b++) {
    in_body[b] = (sim_in_body){0};
    if (p)
      look_at_clothing(p, &body[b], &in_body[b]);
    else
      look_at_surfaces(drawn, n, &body[b], &in_body[b]);
  }
}

int sim_play_inside_out(const sim_play *play, int layer) {
  const sim_clothing *p = sim_clothing_of(play);
  const sim_tets *tets = &p->made[layer].tets;
  const double(*x)[3] = sim_clothing_layer(p, layer).position_m;
  int n = 0;
  for (int t = 0; t < tets->n_tets; t++) {
    double side[3][3], normal[3];
    for (int k = 0; k < 3; k++) sim_sub(x[tets->tet[t][k + 1]], x[tets->tet[t][0]], side[k]);
    sim_cross(side[0], side[1], normal);
    n += sim_dot(normal, side[2]) <= 0;
  }
  return n;
}

/* ---- the sentence ---- */

static void say(char *out, size_t size, size_t *used, const char *format, ...) {
  va_list args;
  if (*used > 0 && *used + 2 < size) *used += (size_t)snprintf(out + *used, size - *used, "; ");
  if (*used >= size) return;
  va_start(args, format);
  const int n = vsnprintf(out + *used, size - *used, format, args);
  va_end(args);
  *used += n > 0 ? (size_t)n : 0;
}

bool sim_tally_faults(const sim_tally *t, const sim_play *play, char *out, size_t size) {
  const sim_scene *s = sim_play_scene(play);
  size_t used = 0;
  for (int b = 0; b < s->n_bodies; b++)
    if (t->in_body[b].vertices > 0)
      say(out, size, &used, "%d %s of the cloth %s inside body %d (%s), the deepest by %.3g mm",
          t->in_body[b].vertices, CB_PLURAL(t->in_body[b].vertices, "vertex", "vertices"),
          CB_ARE(t->in_body[b].vertices), b + 1, sim_shape_names[s->body[b].shape],
          1e3 * t->in_body[b].deepest_m);
  for (int k = 0; k < s->n_layers; k++) {
    const sim_layer_tally *l = &t->layered;
    if (l->inside[k] > 0)
      say(out, size, &used, "%d %s of the cloth %s inside layer %d, the deepest by %.3g mm", l->inside[k],
          CB_PLURAL(l->inside[k], "vertex", "vertices"), CB_ARE(l->inside[k]), k + 1, -1e3 * l->least_m[k]);
    if (l->inside_out[k] > 0)
      say(out, size, &used, "%d %s of layer %d %s inside out", l->inside_out[k],
          CB_PLURAL(l->inside_out[k], "tetrahedron", "tetrahedra"), k + 1, CB_ARE(l->inside_out[k]));
  }
  return used > 0;
}
