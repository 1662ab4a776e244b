#include <math.h>
#include <string.h>

#include "sim_offset_impl.h"
#include "sim_vec.h"

#define GROWTH 2.0 /* of the fraction that a round moves back; the last round has fraction 1 */
#define PUSH 0.1   /* fraction of the way out of the skin in a step (Bridson et al. 2002) */

/* Plain comparisons, since fmin and fmax are calls because of NaN. */
static inline double less(double a, double b) { return a < b ? a : b; }
static inline double more(double a, double b) { return a > b ? a : b; }

/* Position or velocity of the body under the cloth's vertex. */
static inline void under(const sim_press *p, const double (*body)[3], double out[3]) {
  const double *a = body[p->corner[0]], *b = body[p->corner[1]], *c = body[p->corner[2]];
  for (int k = 0; k < 3; k++) out[k] = p->weight[0] * a[k] + p->weight[1] * b[k] + p->weight[2] * c[k];
}
static inline double under_along(const sim_press *p, const double (*body)[3]) {
  double u[3];
  under(p, body, u);
  return sim_dot(p->normal, u);
}

/* ---- the body ---- */

static void clear_slots(sim_press_chunk *c) {
  for (int k = 0; k < c->n_slots; k++) {
    memset(c->slot[k].given_Ns, 0, sizeof c->slot[k].given_Ns);
    memset(c->slot[k].given_kgm, 0, sizeof c->slot[k].given_kgm);
  }
}

static inline void give_impulse(sim_press_chunk *c, const sim_press *p, const double direction[3],
                                double impulse, double shift) {
  if (c->n_slots == 0) return;
  for (int k = 0; k < 3; k++) {
    sim_press_slot *s = &c->slot[p->slot[k]];
    sim_add(s->given_Ns, -p->weight[k] * impulse, direction);
    sim_add(s->given_kgm, -p->weight[k] * shift, direction);
  }
}

void sim_press_move_body(const sim_offset *b, sim_offset_body *body, double dt_s) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < b->n_body; i++) {
    double change[3] = {0, 0, 0}, shift[3] = {0, 0, 0}, inverse = 1 / body->mass_kg[i];
    if (b->start[i] == b->start[i + 1]) continue;
    for (int k = b->start[i]; k < b->start[i + 1]; k++) {
      sim_add(change, inverse, b->who[k]->given_Ns);
      sim_add(shift, inverse, b->who[k]->given_kgm);
    }
    sim_add(body->v_m_per_s[i], 1, change);
    sim_add(body->x_m[i], dt_s, change);
    sim_add(body->x_m[i], 1, shift);
  }
}

/* ---- out of the contact offset ---- */

/* The change of velocity that a round wants, and the shift for the rest. A vertex in the offset moves back by
 * `part` of its depth; one in the skin is pushed gently. */
static double wanted(const sim_offset_setup *s, double distance, double speed, double part, double dt_s,
                     double *shift_m) {
  double approach = more(0, -speed), deep = s->thickness_m - distance;
  *shift_m = 0;
  if (deep <= 0)
    return distance < s->thickness_m + s->skin_m ? part * less(PUSH * (s->skin_m + deep) / dt_s, approach)
                                                 : 0;
  double change = less(part * deep / dt_s, approach);
  *shift_m = part * deep - dt_s * change;
  return change;
}

void sim_press_round(const sim_offset *b, sim_press_chunk *c, int first, int last,
                     const sim_offset_body *body, double dt_s) {
  double begin = pow(GROWTH, 1 + first - b->setup.rounds);
  clear_slots(c);
  for (int k = 0; k < c->n; k++) {
    sim_press *p = &c->press[k];
    double x = under_along(p, (const sim_vec3 *)body->x_m),
           v = under_along(p, (const sim_vec3 *)body->v_m_per_s), part = begin;
    if (first == 0) c->sum.deepest_m = more(c->sum.deepest_m, b->setup.thickness_m - (p->x_m - x));
    for (int r = first; r <= last && p->inverse_kg > 0; r++, part *= GROWTH) {
      double shift,
          change = wanted(&b->setup, p->x_m - x, p->v_m_per_s - v, part, dt_s, &shift) / p->inverse_kg;
      if (change == 0 && shift == 0) continue;
      shift /= p->inverse_kg;
      p->impulse_Ns += change;
      p->shift_kgm += shift;
      p->v_m_per_s += p->give_per_kg * change;
      p->x_m += p->give_per_kg * (dt_s * change + shift);
      give_impulse(c, p, p->normal, change, shift);
    }
  }
}

/* ---- friction ---- */

static inline void slip_of(const sim_press *p, const sim_press_slide *s, const sim_offset_body *body,
                           double slip[3]) {
  double u[3];
  under(p, (const sim_vec3 *)body->v_m_per_s, u);
  sim_sub(s->v_m_per_s, u, slip);
  sim_add(slip, -sim_dot(slip, p->normal), p->normal);
}

/* Without a slip, the law is evaluated along the warp. */
sim_friction_force sim_press_friction(const sim_offset *b, const sim_offset_cloth *cloth, int vertex,
                                      const double slip[3], double normal_N) {
  double frame[2][3], direction[2] = {1, 0};
  if (b->turned && sim_dot(slip, slip) > 0) {
    sim_mesh_to_cloth(cloth->mesh, (const sim_vec3 *)cloth->x_m, vertex, frame);
    for (int j = 0; j < 2; j++) direction[j] = sim_dot(frame[j], slip);
  }
  return sim_friction_eval(&b->setup.friction, direction, normal_N, cloth->mesh->vertex_area_m2[vertex]);
}

void sim_press_ask(const sim_offset *b, sim_press_chunk *c, const sim_offset_cloth *cloth,
                   const sim_offset_body *body, double dt_s) {
  for (int k = 0; k < c->n; k++) {
    const sim_press *p = &c->press[k];
    sim_press_slide *s = &c->slide[k];
    sim_add(s->v_m_per_s, p->give_per_kg * p->impulse_Ns, p->normal);
    slip_of(p, s, body, s->slip_m_per_s);
    s->hold_Ns = s->slide_Ns = 0;
    s->slides = false;
    const sim_press_memory *m = &b->memory[p->vertex - cloth->first_vertex];
    const double normal_N = (m->pressed_Ns + p->impulse_Ns) / dt_s;
    if (!(normal_N > 0)) continue; /* nothing presses where nothing gives way */
    if (m->tied) {                 /* its spring had the friction */
      c->sum.extrapolated += sim_press_friction(b, cloth, p->vertex, m->friction_Ns, normal_N).extrapolated;
      continue;
    }
    double asked[3]; /* impulse that would stop the slip; without a slip it alone has a direction */
    for (int j = 0; j < 3; j++) asked[j] = s->friction_Ns[j] - s->slip_m_per_s[j] / p->inverse_kg;
    sim_friction_force f = sim_press_friction(b, cloth, p->vertex, asked, normal_N);
    c->sum.extrapolated += f.extrapolated;
    s->hold_Ns = f.static_N * dt_s;
    s->slide_Ns = f.kinetic_N * dt_s;
  }
}

/* Plays a round of friction against the slip: the impulse that stops it, if static friction bears that, else
 * the kinetic one. */
void sim_press_add_friction(sim_press_chunk *c, const sim_offset_body *body) {
  clear_slots(c);
  c->sum.change_m_per_s = 0;
  for (int k = 0; k < c->n; k++) {
    const sim_press *p = &c->press[k];
    sim_press_slide *s = &c->slide[k];
    double slip[3], all[3], change[3];
    if (!(s->hold_Ns > 0)) continue;
    slip_of(p, s, body, slip);
    for (int j = 0; j < 3; j++) all[j] = s->friction_Ns[j] - slip[j] / p->inverse_kg;
    double size = sim_norm(all), part = size > s->hold_Ns ? s->slide_Ns / size : 1;
    s->slides = size > s->hold_Ns;
    for (int j = 0; j < 3; j++) {
      change[j] = part * all[j] - s->friction_Ns[j];
      s->friction_Ns[j] = part * all[j];
    }
    sim_add(s->v_m_per_s, p->give_per_kg, change);
    give_impulse(c, p, change, 1, 0);
    c->sum.change_m_per_s = more(c->sum.change_m_per_s, p->inverse_kg * sim_norm(change));
  }
}

/* ---- end of a step ---- */

/* Energy that friction dissipated: its impulse times the mean of the slips before and after. */
static void account_friction(const sim_offset *b, const sim_press *p, const sim_press_slide *s,
                             const double friction_Ns[3], const sim_offset_cloth *cloth,
                             const sim_offset_body *body, sim_press_sum *sum) {
  double slip[3];
  sum->left_m =
      more(sum->left_m, b->setup.thickness_m - (p->x_m - under_along(p, (const sim_vec3 *)body->x_m)));
  sum->normal_Ns += b->memory[p->vertex - cloth->first_vertex].pressed_Ns + p->impulse_Ns;
  if (!(s->hold_Ns > 0)) return;
  slip_of(p, s, body, slip);
  sum->friction_J -= (sim_dot(friction_Ns, s->slip_m_per_s) + sim_dot(friction_Ns, slip)) / 2;
}

/* For a vertex that goes on sliding: stores friction as its first contact spring will find it. */
static void expect_slide(const sim_press *p, const sim_press_slide *s, const sim_offset_body *body,
                         double dt_s, sim_press_memory *m) {
  double slip[3];
  slip_of(p, s, body, slip);
  const double speed = sim_norm(slip), size_Ns = sim_norm(s->friction_Ns);
  if (!s->slides || !(speed > 0 && size_Ns > 0)) return;
  m->friction.across_N_per_m = size_Ns / (dt_s * dt_s * speed);
  for (int k = 0; k < 3; k++) {
    m->friction.along[k] = -s->friction_Ns[k] / size_Ns;
    m->friction.held_N[k] = -s->friction_Ns[k] / dt_s;
  }
}

static void remember_impulse(const sim_press *p, const sim_press_slide *s, sim_press_memory *m) {
  m->pressed_Ns += p->impulse_Ns;
  memcpy(m->normal, p->normal, sizeof m->normal);
  memcpy(m->friction_Ns, s->friction_Ns, sizeof m->friction_Ns);
}

void sim_press_end(const sim_offset *b, sim_press_chunk *c, sim_offset_cloth *cloth,
                   const sim_offset_body *body, double dt_s) {
  for (int k = 0; k < c->n; k++) {
    const sim_press *p = &c->press[k];
    const sim_press_slide *s = &c->slide[k];
    sim_press_memory *m = &b->memory[p->vertex - cloth->first_vertex];
    double impulse[3];
    sim_sub(s->friction_Ns, m->friction_Ns, impulse);
    account_friction(b, p, s, impulse, cloth, body, &c->sum);
    sim_add(impulse, p->impulse_Ns, p->normal);
    remember_impulse(p, s, m);
    if (!m->tied) expect_slide(p, s, body, dt_s, m);
    if (p->give_per_kg == 0) continue;
    memcpy(cloth->v_m_per_s[p->vertex], s->v_m_per_s, sizeof s->v_m_per_s);
    sim_add(cloth->x_m[p->vertex], p->give_per_kg * dt_s, impulse);
    sim_add(cloth->x_m[p->vertex], p->give_per_kg * p->shift_kgm, p->normal);
  }
}
