/* The energy alarm: energy that appears without a source. */
#include <math.h>
#include <stdio.h>

#include "sim_cloth_impl.h"
#include "sim_vec.h"
#include "cb_plural.h"

/* Stiffness of a step over inertia above which single precision loses digits, which return as motion. */
#define STIFF 1e6
#define STRAIN 0.05 /* largest change of an edge's length in a step that counts as small */

/* Allowance at the start: contacts that press half of the thickness away, in one step. */
static double floor_of(const sim_cloth *c, double mass_kg, double dt_s) {
  const double thick = c->setup.material->thickness_m, speed = thick / dt_s;
  return mass_kg * (sim_norm(c->setup.gravity_m_per_s2) * thick + speed * speed / 2);
}

sim_alarm sim_alarm_begin(sim_cloth *c, double dt_s) {
  sim_alarm a = {.mass_kg = 0};
  for (int i = 0; i < c->now.n; i++) a.mass_kg += c->now.mass_kg[i];
  a.floor_J = floor_of(c, a.mass_kg, dt_s);
  sim_cloth_energy(c, &a.begin);
  a.now = a.begin;
  a.last_sum_J = sim_cloth_energy_sum(&a.begin);
  return a;
}

/* Stiffness of a step over a vertex's mass, for mean masses and areas. */
typedef struct stiffness {
  double stretch, bending;
} stiffness;

static stiffness stiffness_of(const sim_cloth *c, double dt_s) {
  const sim_mesh *mesh = c->setup.mesh;
  const sim_material *m = c->setup.material;
  double mass = 0, area = 0;
  for (int i = 0; i < c->now.n; i++) {
    mass += c->now.mass_kg[i] / c->now.n;
    area += mesh->vertex_area_m2[i] / c->now.n;
  }
  const double softest = dt_s * (dt_s + m->damping_s) / mass;
  return (stiffness){softest * sim_material_steepest_N_per_m(m),
                     softest * fmax(m->bending_Nm[0][0], m->bending_Nm[1][1]) / area};
}

/* Largest relative change of an edge's length in the step. */
static double strain_change(const sim_cloth *c) {
  double most = 0;
  for (int e = 0; e < c->setup.mesh->n_edges; e++) {
    const int *v = c->setup.mesh->edge[e].vertex;
    double a[3], b[3];
    sim_sub(c->x_before[v[1]], c->x_before[v[0]], a);
    sim_sub(c->now.x[v[1]], c->now.x[v[0]], b);
    most = fmax(most, fabs(sim_norm(b) / sim_norm(a) - 1));
  }
  return most;
}

static void say_cause(const sim_cloth *c, const sim_step_report *r, char *out, size_t size) {
  const double dt_s = c->previous_dt_s;
  const stiffness k = stiffness_of(c, dt_s);
  const double most = fmax(k.stretch, k.bending), strain = strain_change(c);
  if (most > STIFF)
    (void)snprintf(out, size,
                   "the %s of a step of %.3g ms is %.1g times the inertia of a vertex, which single "
                   "precision cannot follow: a step of at most "
                   "%.2g ms, a coarser mesh or a softer cloth is wanted",
                   k.stretch > k.bending ? "stretch" : "bending", 1e3 * dt_s, most,
                   1e3 * dt_s * sqrt(STIFF / most));
  else if (strain > STRAIN)
    (void)snprintf(out, size,
                   "an edge's length changed by %.0f %% in a step of %.3g ms, which is solved as if it "
                   "changed little: a step of at most %.2g ms, or "
                   "time.adaptive, is wanted",
                   100 * strain, 1e3 * dt_s, 1e3 * dt_s * STRAIN / strain);
  else
    (void)snprintf(out, size,
                   "in this step %d contact%s with bodies%s, %d pair%s of layers, %d stopped: a step shorter "
                   "than %.3g ms is wanted",
                   r->contacts, CB_S(r->contacts), r->contacts_agree ? "" : ", which did not agree",
                   r->self_contacts, CB_S(r->self_contacts), r->impacts, 1e3 * dt_s);
}

/* Speed of the fastest grip, rigid body, or body in a layer. */
static double fastest_of(const sim_cloth *c, const sim_step_report *r) {
  double most = r->layers_m_per_s;
  for (int i = 0; i < c->now.n_grips; i++) most = fmax(most, sim_norm(c->now.v[c->now.constraint[i].vertex]));
  for (int b = 0; b < c->setup.n_bodies; b++)
    most = fmax(most, sim_norm(sim_cloth_bodies(c)[b].velocity_m_per_s));
  return fmax(most, sim_contacts_fastest_m_per_s(c->contacts));
}

static void add_step(sim_alarm *a, const sim_cloth_energies *now, const sim_step_report *r) {
  a->pressed_J += r->pressed_J;
  a->pressed_most_J = fmax(a->pressed_most_J, a->pressed_J);
  a->gravity_most_J = fmax(a->gravity_most_J, a->begin.gravity - now->gravity);
  a->supports_most_J = fmax(a->supports_most_J, now->supports - a->begin.supports);
}

cb_status sim_alarm_look(sim_alarm *a, sim_cloth *c, const sim_step_report *report, cb_err *err) {
  const sim_cloth_energies *now = &a->now;
  char cause[300];
  sim_cloth_energy(c, &a->now);
  add_step(a, now, report);
  a->fastest_m_per_s = fmax(a->fastest_m_per_s, fastest_of(c, report));
  const double sum = sim_cloth_energy_sum(now) - a->pressed_J, before = sim_cloth_energy_sum(&a->begin);
  const double appeared = fmax(sum - before, sum - a->last_sum_J);
  const double put_in = a->begin.kinetic + a->begin.stretch + a->begin.bending + a->gravity_most_J +
                        a->supports_most_J + a->pressed_most_J +
                        a->mass_kg * a->fastest_m_per_s * a->fastest_m_per_s / 2 + a->floor_J;
  a->last_sum_J = sum;
  if (put_in > 0) a->most = fmax(a->most, appeared / put_in);
  if (!(appeared > (c->setup.n_springs > 0 ? SIM_ALARM_SHARE_LAYERS : SIM_ALARM_SHARE) * put_in))
    return CB_OK;
  say_cause(c, report, cause, sizeof cause);
  return cb_fail(err, CB_E_NUM,
                 "energy appeared from nowhere: %.3g J by t = %g s, where the start, gravity and what moves "
                 "put in %.3g J (the cloth holds %.3g J "
                 "now, damping took %.3g J); %s",
                 appeared, c->time_s, put_in, now->kinetic + now->stretch + now->bending,
                 now->damping - a->begin.damping, cause);
}
