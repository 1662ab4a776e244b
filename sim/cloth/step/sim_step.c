/* One implicit step. docs/method/simulation.md describes it. */
#include <math.h>
#include <string.h>

#include "cb_time.h"
#include "sim_cloth_impl.h"
#include "sim_vec.h"

#define HALVED_MOST 5 /* halvings of a step of Newton's method */
/* Tolerance for the friction of contact springs. Whole cases slide, and their forces change little from step
 * to step. */
#define FRICTION_TOLERANCE 10.0 /* in contact_tolerances */
#define FRICTION_MOST 0.1       /* upper bound of that */

/* Adds the time since the last call to a phase. */
static void spent(sim_cloth *c, sim_step_report *report, sim_cloth_phase phase) {
  const double now = cb_now_monotonic_s();
  report->phase_s[phase] += now - c->phase_start_s;
  c->phase_start_s = now;
}

/* X, V and gamma of the scheme, and the place of the first linearisation. If the previous step had another
 * length, BDF2 uses the parabola through three times (Hairer, Norsett, Wanner, Solving Ordinary Differential
 * Equations I, III.5). */
static void begin_stage(sim_cloth *c, double dt_s) {
  double a = 0, gamma = dt_s;
  if (c->setup.scheme == SIM_BDF2 && c->previous_dt_s > 0) {
    double ratio = dt_s / c->previous_dt_s;
    a = ratio * ratio / (1 + 2 * ratio);
    gamma = dt_s * (1 + ratio) / (1 + 2 * ratio);
  }
  c->now.dt_s = dt_s;
  c->now.gamma_s = gamma;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) {
      c->now.past_x[i][k] = c->now.x[i][k] + a * (c->now.x[i][k] - c->x_before[i][k]);
      c->now.past_v[i][k] = c->now.v[i][k] + a * (c->now.v[i][k] - c->v_before[i][k]);
      c->now.at[i][k] = c->now.x[i][k];
    }
}

/* Forces at `at`, without bending of a flat cloth, and the stiffness there. */
static void linearise_cloth(sim_cloth *c) {
  const double *g = c->setup.gravity_m_per_s2, (*push)[3] = c->setup.push_N;
  double drag = c->setup.material->drag_per_s;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++) {
    for (int k = 0; k < 3; k++) c->force[i][k] = c->now.mass_kg[i] * g[k] + (push ? push[i][k] : 0);
    c->now.inertia_kg[i] = c->now.mass_kg[i] * (1 + drag * c->now.gamma_s);
  }
  (void)sim_membrane_evaluate(&c->membrane, (const sim_vec3 *)c->now.at, SIM_TANGENT_CLAMPED, c->force);
  sim_edge_limit_add(&c->edge_limit, 0, (const sim_vec3 *)c->now.at, c->force, c->membrane.block);
  (void)sim_bending_friction_evaluate(&c->bending_friction, (const sim_vec3 *)c->now.at, c->force);
  sim_bending_add_rest(&c->bending, (const sim_vec3 *)c->now.at, c->force);
}

/* The residual of M (v - V) = gamma F(x, v) at c->now.v [kg m/s]. Stiffness acts on differences of
 * velocities, in double, so a cloth that flies fast as a whole feels none of it. Bending is linear, and is
 * taken at the end of the step directly. */
static void find_residual(sim_cloth *c) {
  double gamma = c->now.gamma_s, drag = c->setup.material->drag_per_s,
         ahead = gamma + c->setup.material->damping_s;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) {
      c->shift[i][k] = c->now.past_x[i][k] - c->now.at[i][k] + ahead * c->now.v[i][k];
      c->now.residual[i][k] = gamma * (c->force[i][k] - drag * c->now.mass_kg[i] * c->now.v[i][k]) -
                              c->now.mass_kg[i] * (c->now.v[i][k] - c->now.past_v[i][k]);
    }
  sim_matrix_membrane_product(&c->matrix, &c->membrane, -gamma, (const sim_vec3 *)c->shift, c->now.residual);
  sim_bending_friction_product(&c->bending_friction, -gamma, (const sim_vec3 *)c->shift, c->now.residual);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) c->shift[i][k] = c->now.past_x[i][k] + ahead * c->now.v[i][k];
  sim_bending_product(&c->bending, -gamma, (const sim_vec3 *)c->shift, c->now.residual);
}

static void clear_extra(sim_cloth *c) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++) memset(c->now.extra[i], 0, sizeof c->now.extra[i]);
}

static void add_springs(sim_cloth *c) {
  for (int k = 0; k < c->setup.n_springs; k++)
    sim_springs_add(c->setup.springs[k], c->now.gamma_s, (const sim_vec3 *)c->now.x,
                    (const sim_vec3 *)c->now.past_x, (const sim_vec3 *)c->now.v, c->now.residual,
                    c->now.extra);
}

/* ---- solves ---- */

#define ROUGH_MOST 0.2 /* upper bound of a rough solve's tolerance */

/* Whether bodies answer the cloth through contact springs. Rigid ones do not. */
static bool moves_bodies(const sim_cloth *c) {
  bool any = false;
  for (int k = 0; k < c->setup.n_springs; k++)
    any = any || (c->setup.springs[k]->any && c->setup.springs[k]->body.matrix);
  return any;
}

/* With contacts, the first solve only has to show which of them hold, and how hard they press, since later
 * ones correct it. Friction on rigid layers is another matter: it would answer the rough motion with further
 * solves. docs/method/performance-goals.md and performance-layers.md have what this costs and brings. */
static bool is_rough(const sim_cloth *c, int solve) {
  return solve == 0 && c->setup.contact_iterations > 1 &&
         (c->setup.n_springs > 0 ? moves_bodies(c) : sim_contacts_n(c->contacts) > 0);
}

static double tolerance_of(const sim_cloth *c, bool rough) {
  const double tolerance = c->setup.solve_tolerance;
  return rough ? fmax(tolerance, fmin(sqrt(tolerance), ROUGH_MOST)) : tolerance;
}

/* Right side, friction and constraints for the present contacts. The residual is computed anew in double: the
 * last solve's residual in single precision has the rounding of the stiffness, which is ten thousand times a
 * vertex's inertia. */
static cb_status begin_solve(sim_cloth *c, sim_step_report *report, cb_err *err) {
  sim_contacts_prescribe(c->contacts, &c->now);
  spent(c, report, SIM_CLOTH_PHASE_CONTACT);
  find_residual(c);
  clear_extra(c);
  sim_tethers_add(c->tethers, &c->now);
  add_springs(c);
  if (c->self_contacts) CB_TRY(sim_cloth_self_add(c->self_contacts, &c->now, &c->matrix, err));
  sim_contacts_add_friction(c->contacts, &c->now);
  sim_contacts_constrain(c->contacts, &c->now);
  spent(c, report, SIM_CLOTH_PHASE_ASSEMBLY);
  return CB_OK;
}

/* The system of the first solve after a linearisation. */
static void build_system(sim_cloth *c, sim_step_report *report) {
  const double scale = c->now.gamma_s * (c->now.gamma_s + c->setup.material->damping_s);
  sim_matrix_assemble(&c->matrix, c->now.inertia_kg, (const float(*)[6])c->now.extra, scale, &c->membrane,
                      scale);
  spent(c, report, SIM_CLOTH_PHASE_ASSEMBLY);
  sim_multilevel_build(&c->multilevel, &c->matrix, c->now.inertia_kg, (const float(*)[6])c->now.extra, scale,
                       &c->membrane, c->now.constraint, c->now.n_constraints);
  spent(c, report, SIM_CLOTH_PHASE_PRECONDITIONER);
}

/* Changes the matrix for contact springs whose friction changed. */
static void change_springs(sim_cloth *c, const sim_springs *b) {
#pragma omp parallel for schedule(static)
  for (int k = 0; k < (b->any ? b->n : 0); k++) {
    const int i = b->first + k;
    if (!(b->spring[k].stiffness_N_per_m > 0)) continue;
    sim_matrix_set_extra(&c->matrix, i, c->now.inertia_kg[i], c->now.extra[i]);
    sim_multilevel_set_vertex(&c->multilevel, &c->matrix, i, NULL);
  }
}

/* The system of later solves: only contacts have changed. */
static void change_system(sim_cloth *c, sim_step_report *report) {
  for (int k = 0; k < c->setup.n_springs; k++) change_springs(c, c->setup.springs[k]);
  const int n = sim_contacts_n(c->contacts);
#pragma omp parallel for schedule(static) if (n > SIM_FEW_CONTACTS)
  for (int j = 0; j < n; j++) {
    sim_contact_site site;
    if (!sim_contacts_site(c->contacts, j, &site)) continue;
    const int i = site.vertex;
    sim_matrix_set_extra(&c->matrix, i, c->now.inertia_kg[i], c->now.extra[i]);
    sim_multilevel_set_vertex(&c->multilevel, &c->matrix, i, site.fixed ? &site.constraint : NULL);
  }
  spent(c, report, SIM_CLOTH_PHASE_CONTACT);
}

/* The share of the last change from which rough solves start. The change of a cloth that folds comes again by
 * 0.3 to 0.9 (its correlation from step to step). A rough solve ends before it finds the soft motions,
 * bending, itself: from no change, or from one scaled for the least energy, which stiff motions rule, folds
 * open too late. From all of it single edges are strained more (docs/method/performance-goals.md). */
#define COMES_AGAIN 0.7

/* Start of a solve. The first one of a step may begin with the change of velocities in the previous step,
 * which is in c->change; its constraints are already met. Where bodies move along it would be worse than
 * none: how contact springs press changes from step to step. */
static void guess_change(sim_cloth *c, bool any, bool rough) {
  c->pcg.share = rough ? COMES_AGAIN : 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 4; k++) {
      c->right[i][k] = k < 3 ? (float)c->now.residual[i][k] : 0;
      if (!any || k == 3) c->change[i][k] = 0;
    }
  if (c->guess) sim_guess_make(c->guess, c->right, c->change);
  sim_pcg_filter(c->now.constraint, c->now.n_constraints, c->change);
}

/* Adds the change to the velocities, and computes the reactions: the forces that keep the constraints. */
static void take_change(sim_cloth *c) {
  const double gamma = c->now.gamma_s;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) {
      c->now.reaction[i][k] = -(double)c->pcg.r[i][k] / gamma;
      c->now.v[i][k] += (double)c->change[i][k];
    }
  for (int k = 0; k < c->setup.n_springs; k++)
    sim_springs_take(c->setup.springs[k], (const sim_vec3 *)c->now.x, (const sim_vec3 *)c->now.past_x,
                     (const sim_vec3 *)c->now.v);
}

static sim_edge_limit_step edge_step(const sim_cloth *c) {
  return (sim_edge_limit_step){c->now.mass_kg, sim_material_steepest_N_per_m(c->setup.material), c->now.dt_s};
}

/* Makes edges that would become too long springs of the step. Returns whether there are any. */
static bool limit_more_edges(sim_cloth *c) {
  const int before = c->edge_limit.n_springs;
  const sim_edge_limit_step step = edge_step(c);
  if (sim_edge_limit_extend(&c->edge_limit, &step, (const sim_vec3 *)c->now.past_x, c->now.gamma_s,
                            (const sim_vec3 *)c->now.v) == 0)
    return false;
  sim_edge_limit_add(&c->edge_limit, before, (const sim_vec3 *)c->now.at, c->force, c->membrane.block);
  return true;
}

static double friction_tolerance(const sim_cloth *c) {
  return fmin(FRICTION_TOLERANCE * c->setup.contact_tolerance, FRICTION_MOST);
}

/* Updates the friction of contact springs. Returns whether it changed by little: of all friction, or, where
 * no body moves along, so that a further solve would have no iteration. */
static bool review_springs(sim_cloth *c, double tolerance, sim_pcg_size reference) {
  bool agree = true;
  for (int k = 0; k < c->setup.n_springs; k++)
    agree = sim_springs_review(c->setup.springs[k], friction_tolerance(c), c->pcg.r) && agree;
  return agree || (!moves_bodies(c) && sim_pcg_measure(&c->pcg, &c->multilevel, c->now.constraint,
                                                       c->now.n_constraints, reference) <= tolerance);
}

/* last: no solve may follow. */
static cb_status review_self(sim_cloth *c, bool last, bool *agree, cb_err *err) {
  bool anew = false;
  if (!c->self_contacts) return CB_OK;
  if (!last) CB_TRY(sim_cloth_self_follow(c->self_contacts, &c->now, &anew, err));
  *agree =
      *agree && !anew &&
      sim_cloth_self_review(c->self_contacts, &c->now, c->setup.contact_tolerance, friction_tolerance(c));
  return CB_OK;
}

/* Whether a rough solve may go on as it is, since contacts would change too little for another one. */
static bool may_go_on(sim_cloth *c) {
  if (c->setup.n_springs == 0 || c->setup.iterations > 1) return false; /* Newton's method has its own copy */
  sim_contacts_keep(c->contacts);
  bool agree = sim_contacts_review(c->contacts, &c->now, c->setup.contact_tolerance);
  sim_contacts_restore(c->contacts);
  for (int k = 0; k < c->setup.n_springs; k++)
    agree = agree && sim_springs_review(c->setup.springs[k], friction_tolerance(c), NULL);
  return agree;
}

/* Solves the system. *rough: to the rough tolerance, unless it may go on to the full one at once. */
static sim_pcg_size solve_system(sim_cloth *c, bool *rough, sim_pcg_size least, sim_step_report *report) {
  sim_pcg_result r =
      sim_pcg_solve(&c->pcg, &c->matrix, &c->multilevel, c->now.constraint, c->now.n_constraints, c->right,
                    c->change, tolerance_of(c, *rough), least, c->setup.solve_iterations);
  if (c->guess) sim_guess_keep(c->guess, c->change, c->right, c->pcg.r);
  take_change(c);
  report->solver_iterations += r.iterations;
  if (*rough && r.outcome == SIM_PCG_CONVERGED && may_go_on(c)) {
    r = sim_pcg_go_on(&c->pcg, &c->matrix, &c->multilevel, c->now.constraint, c->now.n_constraints, c->right,
                      c->change, tolerance_of(c, false), r.reference, c->setup.solve_iterations);
    take_change(c);
    report->solver_iterations += r.iterations;
    *rough = false;
  }
  report->solves++;
  report->residual = r.residual;
  return r.reference;
}

/* Solves until contact states agree with their reactions. */
static cb_status solve_with_contacts(sim_cloth *c, bool first, sim_step_report *report, cb_err *err) {
  sim_pcg_size reference = {0, 0};
  bool limited = false;
  report->contacts_agree = false;
  for (int k = 0; k < c->setup.contact_iterations && !report->contacts_agree; k++) {
    bool rough = is_rough(c, k);
    c->matrix.stiffened = rough && c->setup.n_springs == 0;
    CB_TRY(begin_solve(c, report, err));
    (k == 0 || limited ? build_system : change_system)(c, report);
    for (int j = 0; j < c->setup.n_springs; j++)
      sim_springs_prepare(c->setup.springs[j], (const float(*)[6])c->multilevel.inverse, c->now.constraint,
                          c->now.n_constraints);
    guess_change(c, first && k == 0 && c->previous_dt_s > 0 && !moves_bodies(c), rough);
    reference = solve_system(c, &rough, reference, report);
    spent(c, report, SIM_CLOTH_PHASE_SOLVE);
    report->contacts_agree = sim_contacts_review(c->contacts, &c->now, c->setup.contact_tolerance) && !rough;
    report->contacts_agree = review_springs(c, tolerance_of(c, rough), reference) && report->contacts_agree;
    CB_TRY(review_self(c, k + 1 == c->setup.contact_iterations, &report->contacts_agree, err));
    limited = limit_more_edges(c);
    report->contacts_agree = report->contacts_agree && !limited;
    spent(c, report, SIM_CLOTH_PHASE_CONTACT);
  }
  return CB_OK;
}

/* ---- Newton's method ---- */

static double largest_change(const sim_cloth *c) {
  double largest = 0;
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(c->now.v[i][k] - c->kept.v[i][k]));
  return largest;
}

static void keep_iterate(sim_cloth *c) {
  memcpy(c->kept.v, c->now.v, (size_t)c->now.n * sizeof *c->now.v);
  memcpy(c->kept.reaction, c->now.reaction, (size_t)c->now.n * sizeof *c->now.reaction);
  sim_contacts_keep(c->contacts);
  for (int k = 0; k < c->setup.n_springs; k++) sim_springs_mark(c->setup.springs[k]);
}

static void return_springs(sim_cloth *c, double share) {
  for (int k = 0; k < c->setup.n_springs; k++) {
    sim_springs_return(c->setup.springs[k], share);
    sim_springs_take(c->setup.springs[k], (const sim_vec3 *)c->now.x, (const sim_vec3 *)c->now.past_x,
                     (const sim_vec3 *)c->now.v);
  }
}

static void restore_iterate(sim_cloth *c) {
  memcpy(c->now.v, c->kept.v, (size_t)c->now.n * sizeof *c->now.v);
  memcpy(c->now.reaction, c->kept.reaction, (size_t)c->now.n * sizeof *c->now.reaction);
  sim_contacts_restore(c->contacts);
  return_springs(c, 1);
}

static void halve_change(sim_cloth *c) {
  for (int i = 0; i < c->now.n; i++)
    for (int d = 0; d < 3; d++) c->now.v[i][d] = (c->now.v[i][d] + c->kept.v[i][d]) / 2;
  return_springs(c, 0.5);
}

/* Linearises at the end positions of the present velocities. Measures the residual of the free vertices
 * there: sqrt(sum |M dv|^2 / m) [sqrt(J)]. */
static cb_status measure_miss(sim_cloth *c, sim_step_report *report, double *miss, cb_err *err) {
  double sum = 0;
  sim_contacts_prescribe(c->contacts, &c->now);
  for (int i = 0; i < c->now.n; i++)
    for (int d = 0; d < 3; d++) c->now.at[i][d] = c->now.past_x[i][d] + c->now.gamma_s * c->now.v[i][d];
  linearise_cloth(c);
  spent(c, report, SIM_CLOTH_PHASE_ASSEMBLY);
  CB_TRY(begin_solve(c, report, err));
  for (int i = 0; i < c->now.n; i++)
    for (int d = 0; d < 3; d++) c->right[i][d] = (float)c->now.residual[i][d];
  sim_pcg_filter(c->now.constraint, c->now.n_constraints, c->right);
  for (int i = 0; i < c->now.n; i++)
    for (int d = 0; d < 3; d++) sum += (double)c->right[i][d] * (double)c->right[i][d] / c->now.mass_kg[i];
  *miss = sqrt(sum);
  return CB_OK;
}

/* The first linearisation is accepted as it is. Each further one must lower the residual; its step is halved
 * until it does. If it cannot, the iteration ends where it was. */
static cb_status iterate_step(sim_cloth *c, sim_step_report *report, cb_err *err) {
  double before = INFINITY, miss;
  linearise_cloth(c);
  spent(c, report, SIM_CLOTH_PHASE_ASSEMBLY);
  for (int k = 0; k < c->setup.iterations && !report->settled; k++) {
    if (c->setup.iterations > 1) keep_iterate(c);
    CB_TRY(solve_with_contacts(c, k == 0, report, err));
    report->linearisations++;
    if (c->setup.iterations == 1) return CB_OK;
    report->settled = k > 0 && largest_change(c) < c->setup.settle_m_per_s;
    CB_TRY(measure_miss(c, report, &miss, err));
    for (int halved = 0; !(miss < before) && halved < HALVED_MOST && k > 0; halved++) {
      halve_change(c);
      CB_TRY(measure_miss(c, report, &miss, err));
    }
    if (k > 0 && !(miss < before)) {
      restore_iterate(c);
      return CB_OK;
    }
    report->missed = before = miss;
  }
  return CB_OK;
}

/* The velocities of the beginning become those before the next step. Their change since the step before is
 * the start of the first solve. */
static void remember_change(sim_cloth *c) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) {
      c->change[i][k] = (float)(c->now.v[i][k] - c->v_before[i][k]);
      c->v_before[i][k] = c->now.v[i][k];
    }
}

static void move_on(sim_cloth *c) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) {
      c->x_before[i][k] = c->now.x[i][k];
      c->now.x[i][k] = c->now.past_x[i][k] + c->now.gamma_s * c->now.v[i][k];
    }
  sim_contacts_move(c->contacts, &c->now);
  c->time_s += c->now.dt_s;
  c->previous_dt_s = c->now.dt_s;
}

static cb_status check_finite(const sim_cloth *c, cb_err *err) {
  bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++) finite = finite && isfinite(c->now.x[i][k]) && isfinite(c->now.v[i][k]);
  if (finite) return CB_OK;
  for (int i = 0; i < c->now.n; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(c->now.x[i][k]) || !isfinite(c->now.v[i][k]))
        return cb_fail(err, CB_E_NUM,
                       "cloth at t = %g s: vertex %d is not finite: the step of %g s is too long, or the "
                       "input is not in order",
                       c->time_s, i, c->previous_dt_s);
  return CB_OK;
}

cb_status sim_cloth_step(sim_cloth *c, double dt_s, sim_step_report *report, cb_err *err) {
  sim_step_report unused;
  if (!report) report = &unused;
  *report = (sim_step_report){.steps = 1};
  CB_TRY(sim_cloth_check_step(c, dt_s, err));
  c->phase_start_s = cb_now_monotonic_s();
  if (c->previous_dt_s == 0) sim_tethers_tie(c->tethers, &c->now);
  begin_stage(c, dt_s);
  const sim_edge_limit_step step = edge_step(c);
  sim_edge_limit_begin(&c->edge_limit, &step, (const sim_vec3 *)c->now.x);
  remember_change(c);
  spent(c, report, SIM_CLOTH_PHASE_REST);
  CB_TRY(sim_contacts_find(c->contacts, &c->now, err));
  spent(c, report, SIM_CLOTH_PHASE_CONTACT);
  if (c->self_contacts) CB_TRY(sim_cloth_self_find(c->self_contacts, &c->now, err));
  spent(c, report, SIM_CLOTH_PHASE_SELF_COLLISION);
  CB_TRY(iterate_step(c, report, err));
  spent(c, report, SIM_CLOTH_PHASE_REST);
  if (c->self_contacts) CB_TRY(sim_cloth_self_remember(c->self_contacts, &c->now, err));
  CB_TRY(sim_fail_safe(c, report, err));
  spent(c, report, SIM_CLOTH_PHASE_SELF_COLLISION);
  CB_TRY(sim_through_check(c->contacts, &c->now, c->time_s, err));
  sim_contacts_count(c->contacts, report);
  sim_contacts_remember(c->contacts, &c->now);
  sim_ledger_add(c);
  move_on(c);
  if (!c->sliders_wait)
    c->ledger.friction += sim_bending_friction_slip(&c->bending_friction, (const sim_vec3 *)c->now.x);
  cb_status st = check_finite(c, err);
  spent(c, report, SIM_CLOTH_PHASE_REST);
  return st;
}
