#include "sim_splash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_time.h"
#include "sim_wet_cloth.h"
#include "sim_splash_impl.h"
#include "sim_vec.h"

/* ---- making ---- */

static cb_status for_mesh(sim_splash *s, cb_err *err) {
  const sim_mesh *m = sim_wet_cloth_mesh(s->sheet);
  const int chunks = (m->n_triangles + SIM_SPLASH_CHUNK - 1) / SIM_SPLASH_CHUNK;
  if (m->n_vertices > s->n_vertices) {
    const size_t room = 2 * (size_t)m->n_vertices;
    double(*more)[3] = realloc(s->expected, room * sizeof *more);
    if (more) s->expected = more;
    double(*speeds)[3] = realloc(s->cloth_v, room * sizeof *speeds);
    if (speeds) s->cloth_v = speeds;
    if (!more || !speeds) return cb_no_memory(err, "splash: %d vertices", m->n_vertices);
    s->n_vertices = 2 * m->n_vertices;
  }
  if (chunks <= s->n_chunks) return CB_OK; /* tearing makes no triangles */
  s->list = calloc((size_t)chunks, sizeof *s->list);
  if (!s->list) return cb_no_memory(err, "splash: %d triangles", m->n_triangles);
  s->n_chunks = chunks;
  return CB_OK;
}

static cb_status allocate_arrays(sim_splash *s, cb_err *err) {
  const size_t n = (size_t)s->fluid->setup.capacity;
  s->end = calloc(n, sizeof *s->end);
  s->first = calloc(n + 1, sizeof *s->first);
  s->guest_of = calloc(n, sizeof *s->guest_of);
  s->guest = calloc(n, sizeof *s->guest);
  s->toucher = calloc(n, sizeof *s->toucher);
  s->way = calloc(n, sizeof *s->way);
  s->fast = calloc(n, sizeof *s->fast);
  s->gone_m3 = calloc(n, sizeof *s->gone_m3);
  s->goes = calloc(n, sizeof *s->goes);
  if (!s->end || !s->first || !s->guest_of || !s->guest || !s->toucher || !s->way || !s->fast ||
      !s->gone_m3 || !s->goes)
    return cb_no_memory(err, "splash of %zu particles", n);
  return for_mesh(s, err);
}

cb_status sim_splash_new(sim_fluid *fluid, sim_wet_cloth *sheet, double gap_m, sim_splash **out,
                         cb_err *err) {
  *out = NULL;
  CB_TRY(cb_check_range(gap_m, 0, 2 * fluid->setup.spacing_m, "splash: gap", "m", err));
  sim_splash *s = calloc(1, sizeof *s);
  if (!s) return cb_no_memory(err, "splash");
  s->fluid = fluid;
  s->sheet = sheet;
  s->gap_m = gap_m > 0 ? gap_m : fluid->setup.spacing_m / 2;
  s->slack_m = s->gap_m;
  const cb_status st = allocate_arrays(s, err);
  if (st == CB_OK)
    *out = s;
  else
    sim_splash_free(s);
  return st;
}

void sim_splash_free(sim_splash *s) {
  if (!s) return;
  for (int c = 0; c < s->n_chunks; c++) free(s->list[c].pair);
  free(s->list);
  free(s->expected);
  free(s->cloth_v);
  free(s->end);
  free(s->first);
  free(s->triangle);
  free(s->guest_of);
  free(s->guest);
  free(s->toucher);
  free(s->way);
  free(s->fast);
  free(s->gone_m3);
  free(s->goes);
  free(s);
}

/* ---- a step ---- */

/* Where everybody would be without contacts and tension: the boxes are slack enough for most of what those
 * do. */
static void expect_places(sim_splash *s, double dt_s) {
  const double(*v)[3] = (const sim_vec3 *)sim_wet_cloth_velocity(s->sheet),
        (*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(s->sheet);
  for (int i = 0; i < sim_wet_cloth_mesh(s->sheet)->n_vertices; i++)
    for (int k = 0; k < 3; k++) s->expected[i][k] = x[i][k] + dt_s * v[i][k];
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->fluid->n; i++)
    for (int k = 0; k < 3; k++) s->end[i][k] = s->fluid->x[i][k] + dt_s * s->fluid->v[i][k];
}

static double longest(const double (*from)[3], const double (*to)[3], int n) {
  double square = 0;
  for (int i = 0; i < n; i++) {
    double moved[3];
    sim_sub(to[i], from[i], moved);
    square = fmax(square, sim_dot(moved, moved));
  }
  return sqrt(square);
}

/* What pressed a guest on the cloth in this step, weight and pressure, will do so in the next; the cloth will
 * bear it, at most what it has borne now. An impact's impulse is not expected again. */
static sim_v4 help_for(const sim_wet_cloth_guest *g, const double pushed[3], sim_v4 before) {
  double pressed = 0;
  for (int k = 0; k < 3; k++) pressed -= (pushed[k] - before[k]) * g->normal[k];
  const float s = (float)fmax(0, fmin(pressed, g->impulse_Ns * g->inverse_mass_per_kg));
  return (sim_v4){s * (float)g->normal[0], s * (float)g->normal[1], s * (float)g->normal[2], 0};
}

/* Guests are where the sheet has left them. */
static void take_back(sim_splash *s) {
  sim_fluid *f = s->fluid;
  for (int i = 0, g = 0; i < f->n; i++) {
    if (g < s->n_guests && s->toucher[g] == i) {
      f->help[i] = help_for(&s->guest[g], f->v[i], f->help[i]);
      memcpy(s->end[i], s->guest[g].x, sizeof s->end[i]);
      memcpy(f->v[i], s->guest[g++].v, sizeof f->v[i]);
    } else {
      f->help[i] = (sim_v4){0};
    }
    sim_fluid_stop_at_walls(f, s->end[i], f->v[i]);
  }
}

/* Whether somebody went further than he was searched for. */
static bool farther(const sim_splash *s) {
  for (int i = 0; i < s->fluid->n; i++)
    for (int k = 0; k < 3; k++)
      if (fabs(s->end[i][k] - s->fluid->x[i][k]) > s->way[i] + s->gap_m / 2) return true;
  return false;
}

/* The candidates stand for all who can meet as long as nobody went further than they were searched for; else
 * they are searched again. */
static cb_status guard(sim_splash *s, sim_splash_report *report, cb_err *err) {
  const double(*after)[3] = (const sim_vec3 *)sim_wet_cloth_position(s->sheet);
  const int n = sim_wet_cloth_mesh(s->sheet)->n_vertices;
  if (farther(s) || longest((const sim_vec3 *)s->expected, after, n) > s->slack_m)
    CB_TRY(sim_splash_gather(s, sim_wet_cloth_before(s->sheet), err));
  sim_splash_guard(s, report);
  return CB_OK;
}

static void momentum_of(const sim_fluid *f, double sign, double sum[3]) {
  for (int i = 0; i < f->n; i++) sim_add(sum, sign * f->mass, f->v[i]);
}

/* ---- pressure and contact, in turn ---- */

#define PASSES 2     /* of both in a step, at most */
#define SURPRISE 0.1 /* of the pressure's tolerance: a second pass for less changes nothing */

/* What the contacts did that the pressures had not expected: the change of the mean density that it makes. */
static double surprise(const sim_splash *s, double dt_s) {
  const sim_fluid *f = s->fluid;
  double sum = 0;
  for (int g = 0; g < s->n_guests; g++) {
    const sim_wet_cloth_guest *guest = &s->guest[g];
    const int i = s->toucher[g];
    double expected = 0;
    for (int k = 0; k < 3; k++) expected += (double)f->help_other[i][k] * guest->normal[k];
    sum += fabs(guest->impulse_Ns * guest->inverse_mass_per_kg - expected);
  }
  return f->n > 0 ? sum * dt_s / f->setup.spacing_m / f->n : 0;
}

/* The pressures anew, for the impulses that the contacts have just had. */
static void press_again(sim_splash *s, double dt_s, sim_fluid_report *report) {
  sim_fluid *f = s->fluid;
  memset(f->help_other, 0, (size_t)f->n * sizeof *f->help_other);
  for (int g = 0; g < s->n_guests; g++)
    for (int k = 0; k < 3; k++)
      f->help_other[s->toucher[g]][k] =
          (float)(s->guest[g].impulse_Ns * s->guest[g].inverse_mass_per_kg * s->guest[g].normal[k]);
  sim_fluid_press_again(f, dt_s, report);
}

/* Contacts by the velocities that the pressures have made, and pressures by the contacts: block Gauss-Seidel
 * on the impulses of both. In a column at rest the first pass expects the right ones. In an impact the second
 * pass knows what the first did not. */
static cb_status meet_cloth(sim_splash *s, double dt_s, sim_splash_report *own, cb_err *err) {
  const size_t n = (size_t)sim_wet_cloth_mesh(s->sheet)->n_vertices;
  const double enough = SURPRISE * s->fluid->setup.pressure_tolerance;
  memcpy(s->cloth_v, sim_wet_cloth_velocity(s->sheet), n * sizeof *s->cloth_v);
  for (int pass = 1;; pass++) {
    const double begin_s = cb_now_monotonic_s();
    expect_places(s, dt_s);
    CB_TRY(sim_splash_gather(s, (const sim_vec3 *)s->expected, err));
    sim_splash_touch(s);
    memset(own->given_Ns, 0, sizeof own->given_Ns);
    momentum_of(s->fluid, -1, own->given_Ns);
    const double found_s = cb_now_monotonic_s();
    CB_TRY(sim_wet_cloth_step(s->sheet, dt_s, s->guest, s->n_guests, &own->sheet, err));
    const double moved_s = cb_now_monotonic_s();
    own->find_s += found_s - begin_s, own->sheet_s += moved_s - found_s;
    if (pass == PASSES || surprise(s, dt_s) <= enough) return CB_OK;
    sim_wet_cloth_rewind(s->sheet, dt_s, (const sim_vec3 *)s->cloth_v);
    press_again(s, dt_s, &own->fluid);
    own->fluid_s += cb_now_monotonic_s() - moved_s;
  }
}

static double energy_of(const sim_splash *s) {
  const sim_fluid *f = s->fluid;
  const double *g = f->setup.gravity_m_per_s2, *w = sim_wet_cloth_inverse_mass(s->sheet);
  const double(*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(s->sheet),
        (*v)[3] = (const sim_vec3 *)sim_wet_cloth_velocity(s->sheet);
  double liquid = 0, cloth = 0;
  for (int i = 0; i < f->n; i++) liquid += sim_dot(f->v[i], f->v[i]) / 2 - sim_dot(g, s->end[i]);
  for (int i = 0; i < sim_wet_cloth_mesh(s->sheet)->n_vertices; i++)
    if (w[i] > 0) cloth += (sim_dot(v[i], v[i]) / 2 - sim_dot(g, x[i])) / w[i];
  return liquid * f->mass + cloth;
}

cb_status sim_splash_step(sim_splash *s, double dt_s, sim_splash_report *report, cb_err *err) {
  sim_splash_report own = {0};
  const double begin_s = cb_now_monotonic_s();
  CB_TRY(for_mesh(s, err));
  CB_TRY(sim_fluid_push(s->fluid, dt_s, &own.fluid, err));
  own.fluid_s = cb_now_monotonic_s() - begin_s;
  CB_TRY(meet_cloth(s, dt_s, &own, err));
  own.touching = s->n_guests;
  const double met_s = cb_now_monotonic_s();
  take_back(s);
  own.seeped = sim_splash_let_through(s);
  CB_TRY(guard(s, &own, err));
  momentum_of(s->fluid, 1, own.given_Ns);
  own.energy_J = energy_of(s);
  CB_TRY(sim_fluid_land(s->fluid, (const sim_vec3 *)s->end, dt_s, err));
  own.guard_s = cb_now_monotonic_s() - met_s;
  if (report) *report = own;
  return CB_OK;
}
