#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_threads.h"
#include "sim_curtain_impl.h"
#include "sim_vec.h"

#define LANES SIM_CURTAIN_LANES
#define FADE 0.8    /* of the window's radius: from there on the wind fades */
#define UNIT 1e-9   /* lengths of directions that ought to be 1 */
#define HALVINGS 60 /* of an interval of 1, to the last digit */

sim_curtain_setup sim_curtain_setup_default(void) {
  return (sim_curtain_setup){.columns = 20,
                             .nodes = 31,
                             .rod_m = 0.05,
                             .weft_m = 0.05,
                             .spacing_m = 0.05,
                             .segments = 1,
                             .across = {1, 0, 0},
                             .down = {0, 0, -1},
                             .areal_density_kg_per_m2 = 0.15,
                             .gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2},
                             .wind = {.direction = {0, 1, 0},
                                      .radius_m = 1,
                                      .apex_m = 5,
                                      .near_m = 1,
                                      .thinning = 1,
                                      .turbulence_m_per_s = 1,
                                      .eddy_m = 0.1},
                             .air = {.density_kg_per_m3 = 1.204,
                                     .threshold_m_per_s = 0.5,
                                     .corner = 2,
                                     .edge = 1.5,
                                     .inside = 1,
                                     .fast = 0},
                             .pulls = 2,
                             .thickness_m = 2e-3,
                             .self_collision = true};
}

/* ---- checks ---- */

typedef struct range {
  double value, low, high;
  const char *what, *unit;
} range;

static cb_status check_all(const range *r, size_t n, cb_err *err) {
  for (size_t i = 0; i < n; i++)
    CB_TRY(cb_check_range(r[i].value, r[i].low, r[i].high, r[i].what, r[i].unit, err));
  return CB_OK;
}
#define CHECK(r) check_all(r, sizeof(r) / sizeof *(r), err)

static cb_status check_triple(const double v[3], double most, const char *what, const char *unit,
                              cb_err *err) {
  for (int k = 0; k < 3; k++) CB_TRY(cb_check_range(v[k], -most, most, what, unit, err));
  return CB_OK;
}

static cb_status check_wind(const sim_curtain_wind *w, cb_err *err) {
  const range r[] = {{w->radius_m, 1e-3, 1e4, "curtain: radius of the window", "m"},
                     {w->apex_m, 1e-3, 1e6, "curtain: apex of the wind", "m"},
                     {w->pressure_Pa, 0, 1e6, "curtain: pressure of the wind", "Pa"},
                     {w->passing, 0, 1, "curtain: share of the air that passes", ""},
                     {w->thinning, 0, 100, "curtain: power of what does not pass", ""},
                     {w->near_m, 1e-3, 1e4, "curtain: near", "m"},
                     {w->falloff, 0, 4, "curtain: falloff", ""},
                     {w->turbulence, 0, 100, "curtain: turbulence", ""},
                     {w->turbulence_m_per_s, 0, 1e3, "curtain: speed of the turbulence", "m/s"},
                     {w->eddy_m, 0, 1e3, "curtain: eddy", "m"}};
  CB_TRY(CHECK(r));
  CB_TRY(check_triple(w->centre_m, 1e6, "curtain: centre of the window", "m", err));
  CB_TRY(check_triple(w->direction, 1e6, "curtain: direction of the wind", "", err));
  if (!(sim_norm(w->direction) > 0))
    return cb_fail(err, CB_E_RANGE, "curtain: direction of the wind = 0, 0, 0: it must have a length");
  return CB_OK;
}

static cb_status check_air(const sim_curtain_air *a, cb_err *err) {
  const range r[] = {{a->density_kg_per_m3, 0, 1e4, "curtain: density of the air", "kg/m3"},
                     {a->threshold_m_per_s, 0, 1e3, "curtain: threshold of damping", "m/s"},
                     {a->inside, 0, 1e4, "curtain: damping inside", ""},
                     {a->edge, a->inside, 1e4, "curtain: damping of edges", ""},
                     {a->corner, a->edge, 1e4, "curtain: damping of corners", ""},
                     {a->fast, 0, 1e4, "curtain: damping of what is fast", ""}};
  return CHECK(r);
}

static cb_status check_unit(const double v[3], const char *what, cb_err *err) {
  const double length = sim_norm(v);
  if (fabs(length - 1) <= UNIT) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "curtain: %s has the length %g: 1 was wanted", what, length);
}

cb_status sim_curtain_setup_check(const sim_curtain_setup *s, cb_err *err) {
  const range r[] = {{s->columns, 1, 1e5, "curtain: columns", ""},
                     {s->nodes, 2, 1e5, "curtain: nodes", ""},
                     {(double)s->columns * s->nodes, 2, 1e7, "curtain: columns x nodes", ""},
                     {s->rod_m, 1e-5, 100, "curtain: rod", "m"},
                     {s->weft_m, 1e-5, 100, "curtain: weft", "m"},
                     {s->spacing_m, 0, s->weft_m, "curtain: spacing", "m"},
                     {s->segments, 1, SIM_CURTAIN_SEGMENTS, "curtain: segments", ""},
                     {s->areal_density_kg_per_m2, 1e-4, 1e2, "curtain: areal density", "kg/m2"},
                     {s->pulls, 0, 1000, "curtain: pulls", ""},
                     {s->n_bodies, 0, 1e6, "curtain: bodies", ""},
                     {s->thickness_m, 1e-6, 0.1, "curtain: thickness", "m"}};
  CB_TRY(CHECK(r));
  CB_TRY(check_triple(s->top_m, 1e6, "curtain: top", "m", err));
  CB_TRY(check_triple(s->gravity_m_per_s2, 1e4, "curtain: gravity", "m/s2", err));
  CB_TRY(check_unit(s->across, "across", err));
  CB_TRY(check_unit(s->down, "down", err));
  for (int b = 0; b < s->n_bodies; b++) CB_TRY(sim_friction_check(&s->body[b].friction, err));
  CB_TRY(check_air(&s->air, err));
  CB_TRY(check_wind(&s->wind, err));
  for (int i = 0; i < s->n_bodies; i++) CB_TRY(sim_body_check(&s->body[i], err));
  return CB_OK;
}

/* Falls with p; by halving. */
double sim_curtain_passing(const cb_permeability_law *law, double speed_m_per_s, double density_kg_per_m3) {
  double low = 0, high = 1;
  for (int k = 0; k < HALVINGS; k++) {
    const double p = (low + high) / 2, through = p * speed_m_per_s;
    const double drop = density_kg_per_m3 / 2 * (speed_m_per_s * speed_m_per_s - through * through);
    const bool more = cb_permeability_curve_pressure(&law->curve, law->reference_Pa, through) < drop;
    *(more ? &low : &high) = p;
  }
  return (low + high) / 2;
}

/* ---- making ---- */

static void make_source(sim_curtain *c) {
  const sim_curtain_wind *w = &c->setup.wind;
  sim_curtain_source *s = &c->source;
  const double length = sim_norm(w->direction), left = pow(1 - w->passing, w->thinning),
               r2 = w->radius_m * w->radius_m;
  for (int k = 0; k < 3; k++) {
    s->axis[k] = w->direction[k] / length;
    s->apex_m[k] = w->centre_m[k] - w->apex_m * s->axis[k];
  }
  s->apex_to_window_m = w->apex_m;
  s->radius2_m2 = r2;
  s->fade_per_m2 = 1 / (r2 * (1 - FADE * FADE));
  s->near_m = w->near_m;
  s->falloff = w->falloff;
  s->pressure_Pa = w->pressure_Pa * left;
  s->gust_kg_per_m_s2 = w->turbulence * s->pressure_Pa;
}

static bool is_side(const sim_curtain *c, int column) {
  return column == 0 || column >= c->setup.columns - 1;
}

/* Of a column's width of cloth. */
static double share_of(const sim_curtain *c, int column) {
  return is_side(c, column) && c->setup.columns > 1 ? 0.5 : 1;
}

static void make_lane(sim_curtain *c, int column) {
  const sim_curtain_setup *s = &c->setup;
  const sim_curtain_air *a = &s->air;
  const int n = s->columns, l = column % LANES;
  sim_curtain_block *b = &c->block[column / LANES];
  const double share = share_of(c, column), area = share * s->weft_m * s->rod_m,
               rho_area = a->density_kg_per_m3 * area;
  b->area_m2[l] = area;
  b->drag_kg_per_m[l] = rho_area * (is_side(c, column) ? a->edge : a->inside);
  b->end_kg_per_m[l] = rho_area / 2 * (is_side(c, column) ? a->corner : a->edge);
  if (column >= n) return;
  b->left[l] = column > 0;
  b->right[l] = column < n - 1;
  c->lightness[column] = 1 / share;
}

/* The tension of a straight column in the field of gravity, to begin with. */
static void hang_column(sim_curtain *c, int column) {
  const sim_curtain_setup *s = &c->setup;
  const int l = column % LANES, block = column / LANES;
  const double sigma = s->areal_density_kg_per_m2 * c->block[block].area_m2[l],
               g = sim_norm(s->gravity_m_per_s2);
  for (int node = 0; node < s->nodes; node++) {
    const long at = sim_curtain_at(c, block, node);
    for (int k = 0; k < 3; k++)
      c->x[3 * at + k][l] = s->top_m[k] + column * s->spacing_m * s->across[k] + node * s->rod_m * s->down[k];
    c->tension[at][l] = sigma * g * (s->nodes - node - 0.5);
  }
}

/* A column alone does not meet itself. */
static bool orders(const sim_curtain *c) { return c->setup.self_collision && c->setup.columns > 1; }

/* One piece, so that all vectors of eight lie on whole lines of the cache. */
static bool take_memory(sim_curtain *c) {
  const size_t nodes = (size_t)c->setup.nodes, n = nodes * (size_t)c->blocks,
               work = (size_t)c->work_size * (size_t)c->threads;
  const size_t block = (size_t)c->blocks * sizeof *c->block / sizeof(sim_f64x8);
  const size_t eights = (size_t)sim_curtain_eights(c) * (size_t)c->setup.columns;
  const size_t gusts = c->source.gust_kg_per_m_s2 > 0 ? (size_t)3 * SIM_CURTAIN_GUSTS * (size_t)c->blocks : 0;
  const size_t rows = orders(c) ? 4 * (size_t)c->blocks : 0;
  const size_t vectors = 11 * n + eights + gusts + work + block + rows;
  c->memory = calloc(vectors + 1, sizeof(sim_f64x8));
  c->lightness = calloc((size_t)c->setup.columns, sizeof *c->lightness);
  c->body = calloc((size_t)c->setup.n_bodies + 1, sizeof *c->body);
  c->order.rod = calloc((size_t)c->setup.columns, sizeof *c->order.rod);
  c->order.edge = calloc((size_t)c->setup.columns, sizeof *c->order.edge);
  if (!c->memory || !c->lightness || !c->body || !c->order.rod || !c->order.edge) return false;
  const uintptr_t line = sizeof(sim_f64x8), first = ((uintptr_t)c->memory + line - 1) / line * line;
  c->x = (sim_f64x8 *)first;
  c->v = c->x + 3 * n;
  c->next = c->v + 3 * n;
  c->tension = c->next + 3 * n;
  c->turning = c->tension + n;
  c->pulled = c->turning + n;
  c->gust = c->pulled + eights;
  c->work = c->gust + gusts;
  c->block = (sim_curtain_block *)(c->work + work);
  if (rows) c->order.row = c->work + work + block;
  return true;
}

static cb_status make_curtain(sim_curtain *c, cb_err *err) {
  const sim_curtain_setup *s = &c->setup;
  make_source(c);
  if (!take_memory(c)) return cb_no_memory(err, "curtain of %d x %d nodes", s->columns, s->nodes);
  CB_TRY(sim_curtain_gusts(c, err));
  for (int column = 0; column < c->blocks * LANES; column++) {
    make_lane(c, column);
    hang_column(c, column);
  }
  return orders(c) ? sim_curtain_order_init(c, err) : CB_OK;
}

cb_status sim_curtain_new(const sim_curtain_setup *setup, sim_curtain **out, cb_err *err) {
  *out = NULL;
  CB_TRY(sim_curtain_setup_check(setup, err));
  sim_curtain *c = calloc(1, sizeof *c);
  if (!c) return cb_no_memory(err, "curtain");
  c->setup = *setup;
  c->blocks = (setup->columns + LANES - 1) / LANES;
  c->threads = setup->columns * setup->nodes > CB_FEW ? omp_get_max_threads() : 1;
  const long down = (long)SIM_CURTAIN_WORK * setup->nodes,
             across = (long)SIM_CURTAIN_EDGES * LANES * c->blocks;
  c->work_size = down > across ? down : across;
  cb_status st = make_curtain(c, err);
  if (st == CB_OK)
    *out = c;
  else
    sim_curtain_free(c);
  return st;
}

void sim_curtain_free(sim_curtain *c) {
  if (!c) return;
  free(c->order.rod);
  free(c->order.edge);
  free(c->memory);
  free(c->lightness);
  free(c->body);
  free(c);
}

/* ---- the state ---- */

double sim_curtain_time(const sim_curtain *c) { return c->time_s; }

void sim_curtain_node(const sim_curtain *c, int column, int node, double x_m[3], double v_m_per_s[3]) {
  const long at = 3 * sim_curtain_at(c, column / LANES, node);
  for (int k = 0; k < 3; k++) {
    x_m[k] = c->x[at + k][column % LANES];
    if (v_m_per_s) v_m_per_s[k] = c->v[at + k][column % LANES];
  }
}

double sim_curtain_mass(const sim_curtain *c, int column, int node) {
  const double share = node == 0 || node == c->setup.nodes - 1 ? 0.5 : 1;
  return share * c->setup.areal_density_kg_per_m2 * c->block[column / LANES].area_m2[column % LANES];
}

cb_status sim_curtain_hold(sim_curtain *c, const sim_curtain_drag *d, cb_err *err) {
  const range r[] = {{d->column, 0, c->setup.columns - 1, "curtain: column that is dragged", ""},
                     {d->node, 1, c->setup.nodes - 1, "curtain: node that is dragged", ""},
                     {d->stiffness_N_per_m, 0, 1e9, "curtain: stiffness of the hand", "N/m"},
                     {d->damping_Ns_per_m, 0, 1e9, "curtain: damping of the hand", "N s/m"}};
  CB_TRY(CHECK(r));
  CB_TRY(check_triple(d->target_m, 1e6, "curtain: place of the hand", "m", err));
  CB_TRY(check_triple(d->velocity_m_per_s, 1e6, "curtain: velocity of the hand", "m/s", err));
  c->drag = *d;
  c->dragged = true;
  return CB_OK;
}

void sim_curtain_let_go(sim_curtain *c) { c->dragged = false; }
