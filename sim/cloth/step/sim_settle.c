/* Equilibria by pseudo-transient continuation (Kelley, Keyes, SIAM J. Numer. Anal. 35:508, 1998). A step
 * solves (M / tau^2 + K) dx = F, factorised in double. tau is the length of a fictitious time step from rest.
 * It grows while steps succeed and shrinks where they fail. So the method begins as implicit dynamics without
 * kinetic energy, and ends as Newton's method.
 *
 * At first steps need not lower the energy: the straight step of a cloth that turns stretches it, and the
 * next step takes the stretch out again. K has the stress that the last step aimed at (sim_direct.h), and
 * steps turn no edge by more than TURN_MAX. If that fails, every step is shortened until the energy falls. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim_cloth_impl.h"
#include "sim_cloth_room.h"
#include "sim_direct.h"
#include "sim_vec.h"

#define TAU_START_S 0.02
#define TAU_MAX_S 1e6
#define TAU_MIN_S 1e-7
#define ROUNDING_MAX 1e-4 /* residual */
#define TURN_MAX 0.5      /* rad */
#define GROWTH 4          /* of tau, after a whole step */
#define LESS_CAREFUL \
  0.5 /* change of the tried fraction of compression after a success, and after a failure */
#define MORE_CAREFUL 0.5
#define NEARLY_ALL 0.98

typedef struct settling {
  sim_cloth *c;
  sim_direct direct;
  double weight_N;         /* norm of the weights */
  double grip_N;           /* norm of the grips' forces */
  double energy_J, norm_N; /* at c->now.x; forces in c->force */
  double last_N;           /* norm before the last step */
  double tau_s;
  double (*change)[3], (*before)[3], (*best)[3];
  bool turned;        /* `before` holds the positions before the last step */
  double compression; /* fraction of compressive stress to try next */
  double best_J;
  sim_settle_report *report;
} settling;

/* Writes the forces at x into c->force. Returns the energy, that of bending only if it is wanted: it takes
 * the slopes, since that of the matrix is not as exact as a search along a line needs it. */
static double find_forces(sim_cloth *c, double (*x)[3], bool of_bending) {
  const double *g = c->setup.gravity_m_per_s2;
  memset(c->force, 0, (size_t)c->now.n * sizeof *c->force);
  double energy = sim_membrane_evaluate(&c->membrane, (const sim_vec3 *)x, SIM_TANGENT_NONE, c->force);
  sim_bending_add_force(&c->bending, (const sim_vec3 *)x, c->force);
  if (of_bending) energy += sim_bending_energy_J(&c->bending, (const sim_vec3 *)x);
  energy += sim_bending_friction_evaluate(&c->bending_friction, (const sim_vec3 *)x, c->force);
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) {
      energy -= c->now.mass_kg[i] * g[k] * x[i][k];
      c->force[i][k] += c->now.mass_kg[i] * g[k];
    }
  return energy;
}

/* Norm of the forces on free vertices. Clears those on grips, whose norm is grip_N. */
static double norm_of_forces(settling *s) {
  sim_cloth *c = s->c;
  double sum = 0, held = 0;
  for (int j = 0; j < c->now.n_grips; j++) {
    double *f = c->force[c->now.constraint[j].vertex];
    held += sim_dot(f, f);
    memset(f, 0, sizeof *c->force);
  }
  s->grip_N = sqrt(held);
  for (int i = 0; i < c->now.n; i++) sum += sim_dot(c->force[i], c->force[i]);
  return sqrt(sum);
}

static double norm_of_weights(const sim_cloth *c) {
  double sum = 0, g = sim_norm(c->setup.gravity_m_per_s2);
  for (int i = 0; i < c->now.n; i++) sum += c->now.mass_kg[i] * c->now.mass_kg[i];
  return g * sqrt(sum);
}

static void evaluate_place(settling *s) {
  s->energy_J = find_forces(s->c, s->c->now.x, true);
  s->norm_N = norm_of_forces(s);
}

static cb_status factorise(settling *s, double compression, bool *positive, cb_err *err) {
  sim_cloth *c = s->c;
  for (int i = 0; i < c->now.n; i++) c->now.inertia_kg[i] = c->now.mass_kg[i] / (s->tau_s * s->tau_s);
  return sim_direct_factorise(&s->direct, &c->membrane, (const sim_vec3 *)c->now.x,
                              s->turned ? (const sim_vec3 *)s->before : NULL, compression, c->now.inertia_kg,
                              positive, err);
}

/* Solves for a step, with as much compressive stress as leaves the tangent positive definite, judged by the
 * last steps; else with none; if that fails, too, with more inertia. */
static cb_status find_change(settling *s, bool *found, cb_err *err) {
  CB_TRY(factorise(s, s->compression, found, err));
  s->compression = *found ? 1 - LESS_CAREFUL * (1 - s->compression) : MORE_CAREFUL * s->compression;
  if (s->compression > NEARLY_ALL) s->compression = 1;
  while (!*found && s->tau_s > TAU_MIN_S) {
    CB_TRY(factorise(s, 0, found, err));
    if (!*found) s->tau_s /= 10;
  }
  return *found ? sim_direct_solve(&s->direct, (const sim_vec3 *)s->c->force, s->change, err) : CB_OK;
}

/* The largest turn or stretch of an edge in the step. */
static double largest_turn(const settling *s) {
  const sim_cloth *c = s->c;
  const sim_mesh *m = c->setup.mesh;
  double largest = 0;
  for (int e = 0; e < m->n_edges; e++) {
    const int *v = m->edge[e].vertex;
    double d[3], edge[3];
    sim_sub(s->change[v[1]], s->change[v[0]], d);
    sim_sub(m->position_m[v[1]], m->position_m[v[0]], edge);
    largest = fmax(largest, sqrt(sim_dot(d, d) / sim_dot(edge, edge)));
  }
  return largest;
}

static void move_along(settling *s, double (*to)[3], double share) {
  for (int i = 0; i < s->c->now.n; i++)
    for (int k = 0; k < 3; k++) to[i][k] = s->c->now.x[i][k] + share * s->change[i][k];
}

static void keep_best(settling *s) {
  if (s->energy_J >= s->best_J) return;
  s->best_J = s->energy_J;
  memcpy(s->best, s->c->now.x, (size_t)s->c->now.n * sizeof *s->best);
}

/* Forces that the rounding of positions makes. */
static double rounding(const settling *s) {
  double extent = 0;
  for (int i = 0; i < s->c->now.n; i++) extent = fmax(extent, sim_norm(s->c->now.x[i]));
  return DBL_EPSILON * extent * s->direct.diagonal_N_per_m;
}

/* The force that the residual is relative to. */
static double reference(const settling *s) {
  return s->weight_N > 0 ? s->weight_N : s->grip_N > 0 ? s->grip_N : 1;
}

/* Whether the forces are within the tolerance, or as small as rounding allows. */
static bool settled(const settling *s, double tolerance) {
  return s->norm_N <= tolerance * reference(s) ||
         (s->norm_N <= fmin(rounding(s), ROUNDING_MAX * reference(s)) && s->norm_N > s->last_N / 2);
}

static cb_status go_freely(settling *s, double tolerance, int max_iterations, cb_err *err) {
  sim_cloth *c = s->c;
  keep_best(s);
  for (int k = 0; k < max_iterations && !settled(s, tolerance); k++) {
    bool found;
    CB_TRY(find_change(s, &found, err));
    if (!found) break;
    double turn = largest_turn(s), share = turn > TURN_MAX ? TURN_MAX / turn : 1;
    memcpy(s->before, c->now.x, (size_t)c->now.n * sizeof *s->before);
    move_along(s, c->now.x, share);
    s->turned = true;
    s->last_N = s->norm_N;
    evaluate_place(s);
    s->report->iterations++;
    if (!isfinite(s->energy_J)) break;
    keep_best(s);
    s->tau_s = fmin(TAU_MAX_S, s->tau_s * (share < 1 ? 1 : GROWTH));
  }
  return CB_OK;
}

/* Shortens the step until it lowers the energy, or, where that is lost in rounding, the forces. Returns the
 * fraction taken; 0: none. */
static double search_line(settling *s) {
  sim_cloth *c = s->c;
  double slope = 0, energy = s->energy_J, norm = s->norm_N;
  for (int i = 0; i < c->now.n; i++) slope -= sim_dot(c->force[i], s->change[i]);
  double share = 1;
  for (int halved = 0; halved < 10; halved++, share /= 2) { /* down to a thousandth */
    move_along(s, c->now.at, share);
    s->energy_J = find_forces(c, c->now.at, true);
    s->norm_N = norm_of_forces(s);
    bool lower = s->energy_J <= energy + 1e-4 * share * slope;
    bool alike = fabs(share * slope) < 1e-11 * fabs(energy) && s->norm_N < norm;
    if (!isfinite(s->energy_J) || (!lower && !alike)) continue;
    memcpy(c->now.x, c->now.at, (size_t)c->now.n * sizeof *c->now.x);
    return share;
  }
  evaluate_place(s);
  return 0;
}

static cb_status go_down(settling *s, double tolerance, int max_iterations, cb_err *err) {
  memcpy(s->c->now.x, s->best, (size_t)s->c->now.n * sizeof *s->best);
  evaluate_place(s);
  s->tau_s = TAU_START_S;
  s->turned = false;
  s->last_N = INFINITY;
  for (; s->report->iterations < max_iterations && !settled(s, tolerance); s->report->iterations++) {
    bool found;
    CB_TRY(find_change(s, &found, err));
    s->last_N = s->norm_N;
    double share = found ? search_line(s) : 0;
    s->tau_s = fmin(TAU_MAX_S, s->tau_s * (share == 1 ? 2 : share > 0 ? 1 : 0.25));
    if (s->tau_s > TAU_MIN_S) continue;
    s->report->outcome = SIM_SETTLE_STUCK;
    return CB_OK;
  }
  return CB_OK;
}

/* Tests the tangent without inertia: is every small motion resisted? */
static cb_status look_at_stability(settling *s, cb_err *err) {
  sim_cloth *c = s->c;
  memset(c->now.inertia_kg, 0, (size_t)c->now.n * sizeof *c->now.inertia_kg);
  return sim_direct_factorise(&s->direct, &c->membrane, (const sim_vec3 *)c->now.x, NULL, 1,
                              c->now.inertia_kg, &s->report->stable, err);
}

static cb_status settle_cloth(settling *s, double tolerance, int max_iterations, cb_err *err) {
  s->weight_N = norm_of_weights(s->c);
  evaluate_place(s);
  if (!isfinite(s->energy_J) || !isfinite(s->norm_N))
    return cb_fail(err, CB_E_NUM, "settle: the energy of the start is not finite");
  CB_TRY(go_freely(s, tolerance, max_iterations / 2, err));
  if (!settled(s, tolerance)) CB_TRY(go_down(s, tolerance, max_iterations, err));
  if (settled(s, tolerance)) s->report->outcome = SIM_SETTLED;
  s->report->residual = s->norm_N / reference(s);
  s->report->energy_J = s->energy_J;
  return look_at_stability(s, err);
}

cb_status sim_cloth_settle(sim_cloth *c, double tolerance, int max_iterations, sim_settle_report *report,
                           cb_err *err) {
  *report = (sim_settle_report){.outcome = SIM_SETTLE_MAX_ITERATIONS};
  if (!(tolerance > 0)) return cb_fail(err, CB_E_RANGE, "settle: tolerance = %g: must be > 0", tolerance);
  settling s = {.c = c,
                .tau_s = TAU_START_S,
                .best_J = INFINITY,
                .last_N = INFINITY,
                .compression = 1,
                .change = c->shift,
                .before = c->now.past_x,
                .best = c->now.past_v,
                .report = report};
  cb_status st = CB_OK;
  CB_GOTO(sim_bending_prepare(&c->bending, err));
  CB_GOTO(sim_direct_init(&c->bending, c->setup.gripped, &s.direct, err));
  s.direct.bending_friction = &c->bending_friction;
  CB_GOTO(settle_cloth(&s, tolerance, max_iterations, err));
  (void)sim_bending_friction_slip(&c->bending_friction, (const sim_vec3 *)c->now.x);
  memset(c->now.v, 0, (size_t)c->now.n * sizeof *c->now.v);
  c->previous_dt_s = 0;
done:
  sim_direct_clear(&s.direct);
  return st;
}

double sim_cloth_residual(sim_cloth *c) {
  settling s = {.c = c, .weight_N = norm_of_weights(c)};
  (void)find_forces(c, c->now.x, false);
  s.norm_N = norm_of_forces(&s);
  return s.norm_N / reference(&s);
}

void sim_cloth_grip_forces(sim_cloth *c, double (*force_N)[3]) {
  (void)find_forces(c, c->now.x, false);
  memset(force_N, 0, (size_t)c->now.n * sizeof *force_N);
  for (int j = 0; j < c->now.n_grips; j++) {
    int i = c->now.constraint[j].vertex;
    for (int k = 0; k < 3; k++) force_N[i][k] = -c->force[i][k];
  }
}
