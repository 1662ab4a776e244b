#include "sim_layered.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_threads.h"
#include "sim_air_layer.h"
#include "sim_air_system.h"
#include "sim_vec.h"

#define SOLVES 50    /* at most, where a law is curved */
#define CHANGE 1e-9  /* relative change of a pressure below which the solutions end */
#define SETTLED 1e-6 /* relative change above which the last solution is refused */
#define SLUGGISH 2.0 /* ratio of flow to volume in a step below which relaxations do not pay */
#define SMOOTHINGS_MOST 20
#define TOO_STIFF 0.18 /* bound of sim_air_system_smooth */
#define LEAST_PA 1e-3  /* a power law's secant is taken no nearer to 0 than this */

const char *const sim_air_solver_names[] = {"cg", "bicgstab", NULL};

struct sim_air {
  sim_air_setup setup;
  sim_air_system system;
  double *amount_J, *pressure_Pa, *last_Pa;
  double *own_m3, *root; /* of sim_air_respond: volume and leak; root of the pressure */
  int smoothings;
  double *leak_m3; /* per vertex: dt A P_amb v / (P - P_out) */
  double *flow_m3; /* per edge: dt k s */
  bool *border;    /* an open border ends the layer here */
};

sim_air_setup sim_air_setup_default(const sim_mesh *mesh) {
  return (sim_air_setup){.mesh = mesh,
                         .ambient_Pa = SIM_ATMOSPHERE_PA,
                         .flow_m_per_s = 1,
                         .kappa_at_Pa = 200,
                         .tolerance = 1e-9,
                         .max_iterations = 10000};
}

static cb_status check_setup(const sim_air_setup *s, cb_err *err) {
  CB_TRY(cb_check_range(s->ambient_Pa, 1, 1e9, "air: ambient pressure", "Pa", err));
  CB_TRY(cb_check_range(s->flow_m_per_s, 0, 1e12, "air: flow along the layer", "m/s", err));
  CB_TRY(cb_check_range(s->kappa_m_per_s, 0, 1e6, "air: permeability", "m/s", err));
  CB_TRY(cb_check_range(s->kappa_at_Pa, 1e-3, 1e6, "air: pressure of the permeability", "Pa", err));
  return s->law ? cb_permeability_law_check(s->law, err) : CB_OK;
}

void sim_air_free(sim_air *a) {
  if (!a) return;
  sim_air_system_clear(&a->system);
  free(a->amount_J);
  free(a->pressure_Pa);
  free(a->last_Pa);
  free(a->leak_m3);
  free(a->own_m3);
  free(a->root);
  free(a->flow_m3);
  free(a->border);
  free(a);
}

static cb_status allocate_air(sim_air *a, cb_err *err) {
  const sim_mesh *m = a->setup.mesh;
  size_t n = (size_t)m->n_vertices;
  CB_TRY(sim_air_system_init(m, &a->system, err));
  a->amount_J = calloc(n, sizeof *a->amount_J);
  a->pressure_Pa = calloc(n, sizeof *a->pressure_Pa);
  a->last_Pa = calloc(n, sizeof *a->last_Pa);
  a->leak_m3 = calloc(n, sizeof *a->leak_m3);
  a->own_m3 = calloc(n, sizeof *a->own_m3);
  a->root = calloc(n, sizeof *a->root);
  a->flow_m3 = calloc((size_t)m->n_edges, sizeof *a->flow_m3);
  a->border = calloc(n, sizeof *a->border);
  if (!a->amount_J || !a->pressure_Pa || !a->last_Pa || !a->leak_m3 || !a->own_m3 || !a->root ||
      !a->flow_m3 || !a->border)
    return cb_no_memory(err, "air of %zu vertices", n);
  for (int e = 0; e < m->n_edges && a->setup.open_border; e++)
    if (m->edge[e].triangle[1] < 0) a->border[m->edge[e].vertex[0]] = a->border[m->edge[e].vertex[1]] = true;
  return CB_OK;
}

cb_status sim_air_new(const sim_air_setup *setup, sim_air **out, cb_err *err) {
  *out = NULL;
  CB_TRY(check_setup(setup, err));
  sim_air *a = calloc(1, sizeof *a);
  if (!a) return cb_no_memory(err, "air");
  a->setup = *setup;
  cb_status st = allocate_air(a, err);
  if (st == CB_OK)
    *out = a;
  else
    sim_air_free(a);
  return st;
}

double *sim_air_amount_J(sim_air *air) { return air->amount_J; }
const double *sim_air_pressure_Pa(const sim_air *air) { return air->pressure_Pa; }

static size_t scalars(const sim_air *a) { return (size_t)a->system.n * sizeof *a->amount_J; }

size_t sim_air_state_bytes(const sim_air *a) { return 2 * scalars(a); }

void sim_air_state_take(const sim_air *a, unsigned char *to) {
  memcpy(to, a->amount_J, scalars(a));
  memcpy(to + scalars(a), a->pressure_Pa, scalars(a));
}

void sim_air_state_give(sim_air *a, const unsigned char *from) {
  memcpy(a->amount_J, from, scalars(a));
  memcpy(a->pressure_Pa, from + scalars(a), scalars(a));
}

void sim_air_fill(sim_air *a, const sim_air_place *place, double pressure_Pa) {
  for (int i = 0; i < a->system.n; i++) {
    a->pressure_Pa[i] = pressure_Pa;
    a->amount_J[i] = pressure_Pa * place->area_m2[i] * place->gap_m[i];
  }
}

/* ---- geometry ---- */

/* Volumes, and as first guess the pressure of each vertex's own air. */
static cb_status measure_volumes(sim_air *a, const sim_air_place *p, cb_err *err) {
  for (int i = 0; i < a->system.n; i++) {
    double volume = a->system.volume_m3[i] = p->area_m2[i] * p->gap_m[i];
    if (!(p->area_m2[i] > 0 && volume > 0 && isfinite(volume)))
      return cb_fail(err, CB_E_NUM, "air: vertex %d: area %g m2, gap %g m: numbers above 0 were wanted", i,
                     p->area_m2[i], p->gap_m[i]);
    a->pressure_Pa[i] = a->amount_J[i] / volume;
    if (!(a->pressure_Pa[i] > 0))
      return cb_fail(err, CB_E_NUM, "air: vertex %d: %g J of air: more than none was wanted", i,
                     a->amount_J[i]);
  }
  return CB_OK;
}

static void middle(const sim_mesh *m, const double (*x)[3], int triangle, double out[3]) {
  const int *v = m->triangle[triangle];
  for (int k = 0; k < 3; k++) out[k] = (x[v[0]][k] + x[v[1]][k] + x[v[2]][k]) / 3;
}

/* k s dt per edge. A border edge has half the section: from its own centre to its triangle's. */
static void open_sections(sim_air *a, const sim_air_place *p, double dt_s) {
  const sim_mesh *m = a->setup.mesh;
#pragma omp parallel for schedule(static)
  for (int e = 0; e < m->n_edges; e++) {
    const sim_edge *edge = &m->edge[e];
    double from[3], to[3], d[3];
    middle(m, p->x_m, edge->triangle[0], from);
    if (edge->triangle[1] >= 0)
      middle(m, p->x_m, edge->triangle[1], to);
    else
      for (int k = 0; k < 3; k++) to[k] = (p->x_m[edge->vertex[0]][k] + p->x_m[edge->vertex[1]][k]) / 2;
    sim_sub(to, from, d);
    double gap = 0;
    for (int k = 0; k < 2; k++) gap += a->system.volume_m3[edge->vertex[k]] / p->area_m2[edge->vertex[k]] / 2;
    a->flow_m3[e] = dt_s * a->setup.flow_m_per_s * sim_norm(d) * gap;
  }
}

/* ---- through the cloth ---- */

static double outside_of(const sim_air *a, const sim_air_place *p, int i) {
  return p->outside_Pa ? p->outside_Pa[i] : a->setup.ambient_Pa;
}

static double per_pascal(const sim_air_setup *s, double difference_Pa) {
  if (!s->law) return s->kappa_m_per_s / s->kappa_at_Pa;
  double at = fmax(fabs(difference_Pa), LEAST_PA);
  return cb_permeability_curve_velocity(&s->law->curve, s->law->reference_Pa, at) / at;
}

/* Secants of the permeability at the present pressures. */
static void open_pores(sim_air *a, const sim_air_place *p, double dt_s) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a->system.n; i++)
    a->leak_m3[i] = dt_s * p->area_m2[i] * a->setup.ambient_Pa *
                    per_pascal(&a->setup, a->pressure_Pa[i] - outside_of(a, p, i));
}

/* ---- the step ---- */

/* Assembles the system. At an open border the pressure is known: its rows say so, and the flow to it moves to
 * the right side of its neighbours. */
static void put_together(sim_air *a, const sim_air_place *p) {
  sim_air_system *s = &a->system;
#pragma omp parallel for schedule(static)
  for (int e = 0; e < s->n_edges; e++) {
    const int *v = a->setup.mesh->edge[e].vertex;
    s->flow_m3[e] = a->border[v[0]] || a->border[v[1]] ? 0 : a->flow_m3[e];
  }
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++) {
    if (a->border[i]) {
      a->pressure_Pa[i] = a->setup.ambient_Pa;
      s->diagonal_m3[i] = s->volume_m3[i];
      s->b_J[i] = s->volume_m3[i] * a->setup.ambient_Pa;
      continue;
    }
    double flows = 0, from_border = 0;
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
      flows += a->flow_m3[s->edge[k]];
      if (a->border[s->other[k]]) from_border += a->flow_m3[s->edge[k]];
    }
    s->diagonal_m3[i] = s->volume_m3[i] + a->leak_m3[i] + flows;
    s->b_J[i] = a->amount_J[i] + a->leak_m3[i] * outside_of(a, p, i) + from_border * a->setup.ambient_Pa;
  }
}

static double greatest_change(const sim_air *a) {
  double most = 0;
  for (int i = 0; i < a->system.n; i++)
    most = fmax(most, fabs(a->pressure_Pa[i] - a->last_Pa[i]) / a->last_Pa[i]);
  return most;
}

static cb_status solve_pressures(sim_air *a, const sim_air_place *p, double dt_s, sim_air_report *r,
                                 cb_err *err) {
  bool linear = !a->setup.law || a->setup.law->curve.form == CB_PERMEABILITY_DARCY;
  for (r->solves = 1;; r->solves++) {
    put_together(a, p);
    memcpy(a->last_Pa, a->pressure_Pa, (size_t)a->system.n * sizeof *a->last_Pa);
    int n = (a->setup.solver == SIM_AIR_CG ? sim_air_solve_cg : sim_air_solve_bicgstab)(
        &a->system, a->setup.tolerance, a->setup.max_iterations, a->pressure_Pa);
    if (n < 0)
      return cb_fail(err, CB_E_NUM, "air: no balance to %g of each vertex's air within %d iterations (%s)",
                     a->setup.tolerance, a->setup.max_iterations, sim_air_solver_names[a->setup.solver]);
    r->iterations += n;
    double change = linear ? 0 : greatest_change(a);
    if (change <= CHANGE) return CB_OK;
    if (r->solves == SOLVES)
      return change <= SETTLED
                 ? CB_OK
                 : cb_fail(err, CB_E_NUM, "air: pressures still change by a part %g after %d solutions",
                           change, SOLVES);
    open_pores(a, p, dt_s);
  }
}

static double border_flow(const sim_air *a, int i) {
  const sim_air_system *s = &a->system;
  double in = 0;
  for (int k = s->start[i]; k < s->start[i + 1]; k++)
    if (!a->border[s->other[k]])
      in += a->flow_m3[s->edge[k]] * (a->pressure_Pa[s->other[k]] - a->pressure_Pa[i]);
  return in;
}

/* Sets the amounts to V P, times the factor that makes the balance of the whole layer exact. The solver
 * leaves an error within its tolerance. */
static void carry_amounts(sim_air *a, const sim_air_place *p, sim_air_report *r) {
  const sim_air_system *s = &a->system;
  double before = 0, inside = 0;
  for (int i = 0; i < s->n; i++) {
    double now = s->volume_m3[i] * a->pressure_Pa[i];
    before += a->amount_J[i];
    if (a->border[i]) {
      r->vented_J += border_flow(a, i) + a->amount_J[i] - now;
      r->total_J += now;
    } else {
      r->leaked_J += a->leak_m3[i] * (a->pressure_Pa[i] - outside_of(a, p, i));
      inside += now;
    }
    a->amount_J[i] = now;
  }
  if (!(inside > 0)) return;
  double share = (before - r->leaked_J - r->vented_J - r->total_J) / inside;
  for (int i = 0; i < s->n; i++)
    if (!a->border[i]) r->total_J += a->amount_J[i] *= share;
}

static cb_status balance_flow(sim_air *a, const sim_air_place *place, double dt_s, sim_air_report *report,
                              cb_err *err) {
  *report = (sim_air_report){0};
  CB_TRY(measure_volumes(a, place, err));
  open_sections(a, place, dt_s);
  open_pores(a, place, dt_s);
  return solve_pressures(a, place, dt_s, report, err);
}

/* Number of relaxations: as many as keep the response within TOO_STIFF of the air's. */
static int smoothings(const sim_air *a) {
  double own = 0, flows = 0;
  for (int i = 0; i < a->system.n; i++) {
    own += a->own_m3[i];
    flows += a->system.diagonal_m3[i] - a->own_m3[i];
  }
  return flows < SLUGGISH * own
             ? 0
             : (int)fmin(ceil((sqrt(2 * flows / (own * TOO_STIFF)) - 1) / 2), SMOOTHINGS_MOST);
}

cb_status sim_air_expect(sim_air *a, const sim_air_place *place, double dt_s, sim_air_answer *out,
                         cb_err *err) {
  sim_air_report report;
  CB_TRY(balance_flow(a, place, dt_s, &report, err));
  for (int i = 0; i < a->system.n; i++) {
    double p = out->pressure_Pa[i] = a->pressure_Pa[i];
    a->own_m3[i] = a->system.volume_m3[i] + (a->border[i] ? 0 : a->leak_m3[i]);
    a->root[i] = a->border[i] ? 0 : sqrt(p);
    out->stiffness_Pa_per_m3[i] = a->border[i] ? 0 : p / a->own_m3[i];
  }
  a->smoothings = smoothings(a);
  out->spreads = a->smoothings > 0;
  sim_air_system_prepare(&a->system, a->own_m3);
  return CB_OK;
}

void sim_air_respond(sim_air *a, const double *growth_m3, double *fall_Pa) {
#pragma omp parallel for schedule(static) if (a->system.n > CB_FEW)
  for (int i = 0; i < a->system.n; i++) a->system.b_J[i] = a->root[i] * growth_m3[i];
  const double *fall = sim_air_system_smooth(&a->system, a->smoothings);
#pragma omp parallel for schedule(static) if (a->system.n > CB_FEW)
  for (int i = 0; i < a->system.n; i++) fall_Pa[i] = a->root[i] * fall[i];
}

cb_status sim_air_step(sim_air *a, const sim_air_place *place, double dt_s, sim_air_report *report,
                       cb_err *err) {
  CB_TRY(balance_flow(a, place, dt_s, report, err));
  carry_amounts(a, place, report);
  return CB_OK;
}
