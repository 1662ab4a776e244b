#include <string.h>

#include "sim_offset_impl.h"
#include "sim_vec.h"

#define AGAINST \
  -0.5 /* cosine between the push and what the vertex lies on; below it the vertex is supported */
#define ALONG                                                                                          \
  0.5 /* cosine between the way from the closest point and the surface's normal: above, the way is the \
         direction */

/* Chooses the direction of a contact. If the closest point is on an edge or a corner, the surface's normal
 * there is only one of many. The way from the closest point to the vertex is then better. */
static void direct(const sim_offset *b, const sim_closest_point *closest, const double at[3],
                   const double x[3], double normal[3]) {
  double way[3];
  if (closest->weight[0] > 0 && closest->weight[1] > 0 && closest->weight[2] > 0) return;
  sim_sub(x, at, way);
  double length = sim_norm(way);
  if (!(closest->distance_m > 0 && length > 1e-3 * b->setup.thickness_m &&
        sim_dot(way, normal) > ALONG * length))
    return;
  for (int k = 0; k < 3; k++) normal[k] = way[k] / length;
}

static void contact(const sim_offset *b, int vertex, const sim_traverse *surface,
                    const sim_closest_point *closest, const sim_offset_cloth *cloth,
                    const sim_offset_body *body, sim_press *p, sim_press_slide *s) {
  double at[3];
  *p = (sim_press){.vertex = vertex};
  memcpy(p->corner, body->hull->triangle[closest->triangle], sizeof p->corner);
  memcpy(p->weight, closest->weight, sizeof p->weight);
  sim_traverse_closest(surface, closest, at, p->normal);
  direct(b, closest, at, cloth->x_m[vertex], p->normal);
  const bool held = cloth->held && cloth->held[vertex];
  const bool supported = held || (cloth->support && sim_dot(cloth->support[vertex], p->normal) < AGAINST);
  p->inverse_kg = p->give_per_kg = supported ? 0 : 1 / cloth->mass_kg[vertex];
  memcpy(s->v_m_per_s, cloth->v_m_per_s[vertex], sizeof s->v_m_per_s);
  p->x_m = sim_dot(p->normal, cloth->x_m[vertex]);
  p->v_m_per_s = sim_dot(p->normal, s->v_m_per_s);
  memcpy(s->friction_Ns, b->memory[vertex - cloth->first_vertex].friction_Ns, sizeof s->friction_Ns);
}

static void take_slots(sim_press_chunk *c, sim_press *p, int *slot_of) {
  for (int k = 0; k < 3; k++) {
    int v = p->corner[k];
    if (slot_of[v] < 0) {
      slot_of[v] = c->n_slots;
      c->slot[c->n_slots] = (sim_press_slot){.weight = 0};
      c->slot_vertex[c->n_slots++] = v;
    }
    p->slot[k] = (uint16_t)slot_of[v];
    c->slot[p->slot[k]].weight += p->weight[k];
  }
}

void sim_press_gather(sim_offset *b, int chunk, const sim_traverse *surface, const sim_closest_point *closest,
                      const sim_offset_cloth *cloth, const sim_offset_body *body, int *slot_of) {
  sim_press_chunk *c = &b->chunk[chunk];
  double reach = b->setup.thickness_m + b->setup.skin_m;
  int end = (chunk + 1) * SIM_PRESS_CHUNK < b->n_cloth ? (chunk + 1) * SIM_PRESS_CHUNK : b->n_cloth;
  c->n = c->n_slots = 0;
  c->sum = (sim_press_sum){.deepest_m = 0};
  for (int i = chunk * SIM_PRESS_CHUNK; i < end; i++) {
    int vertex = cloth->first_vertex + i;
    if (!(closest[i].distance_m < reach || b->memory[i].pressed_Ns > 0)) continue;
    contact(b, vertex, surface, &closest[i], cloth, body, &c->press[c->n], &c->slide[c->n]);
    if (slot_of) take_slots(c, &c->press[c->n], slot_of);
    c->n++;
  }
  for (int k = 0; k < c->n_slots; k++) slot_of[c->slot_vertex[k]] = -1;
}

/* Lists the slots of each vertex of the body in the order of the chunks, by counting. */
static void list_slots(sim_offset *b) {
  memset(b->start, 0, ((size_t)b->n_body + 1) * sizeof *b->start);
  for (int c = 0; c < b->n_chunks; c++)
    for (int k = 0; k < b->chunk[c].n_slots; k++) b->start[b->chunk[c].slot_vertex[k] + 1]++;
  for (int i = 0; i < b->n_body; i++) b->start[i + 1] += b->start[i];
  for (int c = 0; c < b->n_chunks; c++)
    for (int k = 0; k < b->chunk[c].n_slots; k++)
      b->who[b->start[b->chunk[c].slot_vertex[k]]++] = &b->chunk[c].slot[k];
  memmove(b->start + 1, b->start, (size_t)b->n_body * sizeof *b->start);
  b->start[0] = 0;
}

/* Computes how much each contact gives way. A body's vertex of mass M that carries the weights w gives way to
 * one of them by w sum w / M if the others press alike. With that share no round overshoots (Cauchy and
 * Schwarz: (sum w j)^2 <= sum w sum w j^2), and one round stops a cloth that slips as a whole. */
void sim_press_weigh(sim_offset *b, const sim_offset_body *body) {
  list_slots(b);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < b->n_body; i++) {
    b->share[i] = 0;
    for (int k = b->start[i]; k < b->start[i + 1]; k++) b->share[i] += b->who[k]->weight;
    b->share[i] /= body->mass_kg[i];
  }
#pragma omp parallel for schedule(static)
  for (int c = 0; c < b->n_chunks; c++)
    for (int k = 0; k < b->chunk[c].n; k++) {
      sim_press *p = &b->chunk[c].press[k];
      for (int j = 0; j < 3; j++) p->inverse_kg += p->weight[j] * b->share[p->corner[j]];
    }
}
