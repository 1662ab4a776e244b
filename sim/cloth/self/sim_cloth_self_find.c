/* The pairs of a step, and where they are linearised.
 *
 * A pair is a plane between two places. Where layers slide on in a step, the plane of its beginning is wrong
 * at its end, and the pair ploughs: it presses against the slip. So once pairs move, all are found anew at
 * the ends that the present velocities lead to, put apart as the fail-safe does it. The distance at the
 * beginning is then that along the new normal. */
#include <math.h>
#include <string.h>

#include "cb_array.h"
#include "sim_cloth_self_impl.h"
#include "sim_self_look.h"
#include "sim_vec.h"

/* A pair that moves by more than this share of the thickness is linearised at its end. */
#define FAR_SHARE 0.03

/* Pairs take part that can meet within the step. Without those that gravity brings together, layers part and
 * meet in turn. */
static double reach_m(const sim_stage *s) {
  return s->setup->material->thickness_m + sim_norm(s->setup->gravity_m_per_s2) * s->gamma_s * s->gamma_s;
}

static bool any_moves_far(const sim_cloth_self *l, const sim_stage *s) {
  const double far_m = FAR_SHARE * s->setup->material->thickness_m;
  for (int j = 0; j < l->n_contacts; j++) {
    double way[3];
    sim_cloth_self_way(&l->contact[j], s, way);
    if (sim_dot(way, way) > far_m * far_m) return true;
  }
  return false;
}

/* Pairs at the ends that the velocities lead to, among the vertices of the pairs so far. */
static cb_status find_ahead(sim_cloth_self *l, const sim_stage *s, cb_err *err) {
  for (int j = 0; j < l->n_contacts; j++)
    for (int i = 0; i < 4; i++) l->near[l->contact[j].vertex[i]] = true;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int d = 0; d < 3; d++) l->ahead_m[i][d] = s->past_x[i][d] + s->gamma_s * s->v[i][d];
  return sim_self_contacts_ahead(l->self, (const sim_vec3 *)s->x, l->ahead_m, l->near, &l->contact,
                                 &l->n_contacts, err);
}

/* The distance of a pair along its normal at the beginning of the step. */
static double apart_m(const sim_self_contact *k, const sim_stage *s) {
  double sum = 0;
  for (int i = 1; i < 4; i++) {
    double from_first[3];
    if (k->weight[i] == 0) continue;
    sim_sub(s->x[k->vertex[i]], s->x[k->vertex[0]], from_first);
    sum += k->weight[i] * sim_dot(k->normal, from_first);
  }
  return sum;
}

/* Prepares the pairs found, at ends `at`. */
static cb_status begin_pairs(sim_cloth_self *l, const sim_stage *s, const double (*at)[3], cb_err *err) {
  sim_pair_term *term = cb_array_grow(l->term, &l->capacity, 3 * (size_t)l->n_contacts + 1, sizeof *term);
  if (!term) return cb_no_memory(err, "%d contacts of the cloth with itself", l->n_contacts);
  l->term = term;
  CB_TRY(sim_self_friction_begin(l, err));
  for (int j = 0; j < l->n_contacts; j++) {
    const sim_self_contact *k = &l->contact[j];
    l->rub[j].apart_m = apart_m(k, s);
    for (int i = 0; i < 4; i++)
      for (int d = 0; d < 3 && k->weight[i] != 0; d++)
        l->rub[j].way_m[d] += k->weight[i] * (at[k->vertex[i]][d] - s->x[k->vertex[i]][d]);
  }
  return CB_OK;
}

cb_status sim_cloth_self_find(sim_cloth_self *l, const sim_stage *s, cb_err *err) {
  CB_TRY(sim_self_contacts(l->self, (const sim_vec3 *)s->x, reach_m(s), &l->contact, &l->n_contacts, err));
  memset(l->near, 0, (size_t)s->n * sizeof *l->near);
  l->follows = any_moves_far(l, s);
  if (l->follows) CB_TRY(find_ahead(l, s, err));
  return begin_pairs(l, s, (const sim_vec3 *)(l->follows ? l->ahead_m : s->x), err);
}

/* Mean distance along the layers, by pressing force, of where the pairs are from where they were linearised.
 */
static double mean_miss_m(const sim_cloth_self *l, const sim_stage *s) {
  double sum = 0, all = 0;
  for (int j = 0; j < l->n_contacts; j++) {
    double way[3], miss[3];
    sim_cloth_self_way(&l->contact[j], s, way);
    const double N = fmax(sim_cloth_self_normal_N(l, j, s, way), 0);
    sim_sub(way, l->rub[j].way_m, miss);
    sim_add(miss, -sim_dot(miss, l->contact[j].normal), l->contact[j].normal);
    sum += N * sim_norm(miss);
    all += N;
  }
  return all > 0 ? sum / all : 0;
}

cb_status sim_cloth_self_follow(sim_cloth_self *l, const sim_stage *s, bool *anew, cb_err *err) {
  *anew = l->follows && mean_miss_m(l, s) > FAR_SHARE * s->setup->material->thickness_m;
  l->follows = false;
  if (!*anew) return CB_OK;
  CB_TRY(find_ahead(l, s, err));
  return begin_pairs(l, s, (const sim_vec3 *)l->ahead_m, err);
}
