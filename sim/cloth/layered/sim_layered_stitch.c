/* Stitches: vertices of a case that are sewn to the body under them, as quilting does. A stitch is a thread
 * from a vertex to a place on the body's surface, in place of a contact spring. It is drawn in slowly until
 * it is as long as the contact offset is thick. Its force acts along the line between its ends, so it
 * conserves momentum and angular momentum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_layered_impl.h"
#include "sim_vec.h"

#define STIFF 1e3         /* h^2 k of a stitch, in masses of its vertex */
#define DRAWN_M_PER_S 0.1 /* speed at which a thread that is too long is drawn in */
#define OVER_CONTACT_OFFSET 1.02

/* Returns the length of the thread; its direction from the body to the vertex. */
static double thread_of(const sim_layered_layer *l, const sim_layered_stitch *s, const double vertex[3],
                        double along[3]) {
  const double(*x)[3] = (const sim_vec3 *)sim_layered_layer_x(l);
  memcpy(along, vertex, 3 * sizeof *along);
  for (int k = 0; k < 3; k++) sim_add(along, -s->weight[k], x[s->corner[k]]);
  const double length_m = sim_norm(along);
  for (int a = 0; a < 3; a++) along[a] /= length_m;
  return length_m;
}

cb_status sim_layered_stitch_init(sim_layered_layer *l, cb_err *err) {
  const bool *stitched = l->given->stitched;
  if (!stitched) return CB_OK;
  l->stitch = calloc((size_t)l->n, sizeof *l->stitch);
  if (!l->stitch) return cb_no_memory(err, "stitches of %d vertices", l->n);
  for (int i = 0; i < l->n; i++) {
    sim_layered_stitch *s = &l->stitch[l->n_stitches];
    if (!stitched[i]) continue;
    s->vertex = i;
    memcpy(s->corner, l->hull.triangle[l->closest[i].triangle], sizeof s->corner);
    memcpy(s->weight, l->closest[i].weight, sizeof s->weight);
    l->n_stitches++;
  }
  return CB_OK;
}

void sim_layered_stitch_spring(const sim_layered *t, sim_layered_layer *l, double dt_s) {
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(t->cloth), *mass_kg = sim_cloth_mass(t->cloth);
  const double length_m = OVER_CONTACT_OFFSET * l->given->offset.thickness_m;
  for (int n = 0; n < l->n_stitches; n++) {
    const sim_layered_stitch *s = &l->stitch[n];
    sim_spring *k = &l->springs.spring[s->vertex];
    memcpy(k->corner, s->corner, sizeof k->corner);
    memcpy(k->weight, s->weight, sizeof k->weight);
    k->rest_m = fmax(length_m - thread_of(l, s, x[l->first + s->vertex], k->normal), -DRAWN_M_PER_S * dt_s);
    k->stiffness_N_per_m = STIFF * mass_kg[l->first + s->vertex] / (dt_s * dt_s);
    k->friction = (sim_spring_friction){.across_N_per_m = 0};
  }
}
