/* The constraints of sim_wet_cloth.h, one after the other. */
#include <math.h>

#include "cb_num.h"
#include "sim_wet_cloth.h"
#include "sim_wet_cloth_impl.h"
#include "sim_vec.h"

/* What lies nearer than it should at the start is let go by this share of the gap in a small step: not thrown
 * out. */
#define RELEASE 0.1

static void project_stretch(sim_wet_cloth *s, double per_h2) {
  for (int e = 0; e < s->mesh.n_edges; e++) {
    const sim_stretch *c = &s->stretch[e];
    double *a = s->x[c->vertex[0]], *b = s->x[c->vertex[1]], along[3];
    const double wa = s->inverse_mass[c->vertex[0]], wb = s->inverse_mass[c->vertex[1]];
    sim_sub(b, a, along);
    const double length = sim_norm(along);
    if (!(length > 0) || wa + wb == 0) continue;
    const double by = (length - c->length_m) / ((wa + wb + c->per_k * per_h2) * length);
    sim_add(a, wa * by, along);
    sim_add(b, -wb * by, along);
  }
}

/* Of velocities, not within the constraint: there every edge would take what its neighbours have just
 * corrected for its own growth. Implicit, edge by edge: nobody is turned round. */
void sim_wet_cloth_damp(sim_wet_cloth *s, double h_s) {
  for (int e = 0; e < s->mesh.n_edges && s->setup.damping_s > 0; e++) {
    const sim_stretch *c = &s->stretch[e];
    double *a = s->v[c->vertex[0]], *b = s->v[c->vertex[1]], along[3], apart[3];
    const double wa = s->inverse_mass[c->vertex[0]], wb = s->inverse_mass[c->vertex[1]],
                 rate = s->setup.damping_s * h_s / c->per_k;
    sim_sub(s->x[c->vertex[1]], s->x[c->vertex[0]], along);
    sim_sub(b, a, apart);
    const double square = sim_dot(along, along);
    if (!(square > 0)) continue;
    const double by = rate / (1 + rate * (wa + wb)) * sim_dot(apart, along) / square;
    sim_add(a, wa * by, along);
    sim_add(b, -wb * by, along);
  }
}

static void project_bend(sim_wet_cloth *s, double per_h2) {
  for (int e = 0; e < s->n_bends; e++) {
    const sim_bend *b = &s->bend[e];
    double x[4][3], stiff = b->per_k * per_h2;
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 3; k++) x[i][k] = s->x[b->vertex[i]][k];
    double angle = b->angle_rad, first[4][3] = {{0}}; /* a triangle without area: no angle, nothing to
                                                         correct */
    sim_hinge_angle((const sim_vec3 *)x, &angle, first);
    for (int i = 0; i < 4; i++) stiff += s->inverse_mass[b->vertex[i]] * sim_dot(first[i], first[i]);
    angle -= b->angle_rad; /* the shorter way round */
    angle += angle > CB_PI ? -2 * CB_PI : angle < -CB_PI ? 2 * CB_PI : 0;
    const double by = -angle / stiff;
    for (int i = 0; i < 4; i++) sim_add(s->x[b->vertex[i]], s->inverse_mass[b->vertex[i]] * by, first[i]);
  }
}

static void project_apart(sim_wet_cloth *s, const sim_self_contact *contact, int n) {
  for (int p = 0; p < n; p++) {
    const sim_self_contact *c = &contact[p];
    double height = 0, weight = 0;
    for (int i = 0; i < 4; i++) {
      height += c->weight[i] * sim_dot(s->x[c->vertex[i]], c->normal);
      weight += s->inverse_mass[c->vertex[i]] * c->weight[i] * c->weight[i];
    }
    const double wanted = fmin(s->setup.thickness_m, c->distance_m + RELEASE * s->setup.thickness_m);
    if (height >= wanted || weight == 0) continue;
    for (int i = 0; i < 4; i++)
      sim_add(s->x[c->vertex[i]], (wanted - height) / weight * s->inverse_mass[c->vertex[i]] * c->weight[i],
              c->normal);
  }
}

static void project_guests(sim_wet_cloth *s, double h_s, sim_wet_cloth_guest *guest, int n) {
  const double per_k = 1 / (s->setup.guest_N_per_m * h_s * h_s);
  for (int p = 0; p < n; p++) {
    sim_wet_cloth_guest *g = &guest[p];
    double height = sim_dot(g->x, g->normal), weight = g->inverse_mass_per_kg;
    for (int i = 0; i < 3; i++) {
      height -= g->weight[i] * sim_dot(s->x[g->vertex[i]], g->normal);
      weight += s->inverse_mass[g->vertex[i]] * g->weight[i] * g->weight[i];
    }
    if (height >= g->gap_m) continue;
    const double by = (g->gap_m - height) / (weight + per_k);
    sim_add(g->x, g->inverse_mass_per_kg * by, g->normal);
    sim_add(g->v, g->inverse_mass_per_kg * by / h_s, g->normal);
    for (int i = 0; i < 3; i++)
      sim_add(s->x[g->vertex[i]], -s->inverse_mass[g->vertex[i]] * g->weight[i] * by, g->normal);
    g->impulse_Ns += by / h_s;
  }
}

void sim_wet_cloth_project(sim_wet_cloth *s, double h_s, const sim_self_contact *contact, int n_contacts,
                           sim_wet_cloth_guest *guest, int n_guests) {
  const double per_h2 = 1 / (h_s * h_s);
  project_stretch(s, per_h2);
  project_bend(s, per_h2);
  project_apart(s, contact, n_contacts);
  project_guests(s, h_s, guest, n_guests);
}
