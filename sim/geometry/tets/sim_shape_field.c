#include "sim_shape_field.h"

#include <stdbool.h>
#include <string.h>

#include "cb_num.h"
#include "sim_vec.h"

/* ---- parts, in their own axes ---- */

/* The parameter t of the nearest point y of an ellipsoid. x - y is along the normal there: y_i = r_i^2 x_i /
 * (t + r_i^2), with the t above -min r^2 for which y is on the surface, s(t) = |y / r| = 1. 1/s grows and is
 * concave, so Newton's method from below never passes the root. */
static double root(const double r[3], const double x[3]) {
  double t = -INFINITY, far = 0, least = INFINITY, most = 0;
  for (int k = 0; k < 3; k++) {
    t = fmax(t, r[k] * (fabs(x[k]) - r[k]));
    far += r[k] * r[k] * x[k] * x[k];
    least = fmin(least, r[k] * r[k]);
    most = fmax(most, r[k] * r[k]);
  }
  t = fmax(t, sqrt(far) - most);
  for (int i = 0; i < 60; i++) {
    double s2 = 0, slope = 0;
    for (int k = 0; k < 3; k++) {
      double below = t + r[k] * r[k], term = x[k] == 0 ? 0 : r[k] * x[k] / below;
      s2 += term * term;
      slope += x[k] == 0 ? 0 : term * term / below;
    }
    if (!(slope > 0)) break;                          /* the middle */
    double s = sqrt(s2), step = (s - 1) * s2 / slope; /* (1 - 1/s) over the slope of 1/s, which is slope /
                                                         s^3 */
    if (!(step > 0)) break;
    t += step;
    if (step < 1e-8 * (t + least)) break; /* the next step is about its square */
  }
  return t;
}

/* Whether the distance is surely larger than `distance`, from |x / r|, which grows by no more than 1 / min
 * r. */
static bool surely_off(const sim_shape_placed *p, const double from_origin[3], double distance) {
  double s2 = 0, least = fmin(p->half[0], fmin(p->half[1], p->half[2]));
  for (int k = 0; k < 3; k++) {
    double share = sim_dot(p->axis[k], from_origin) / p->half[k];
    s2 += share * share;
  }
  double most = 1 + distance / least;
  return most <= 0 || s2 > most * most; /* nothing is deeper than its least half axis */
}

static double ellipsoid(const double r[3], const double x[3], double g[3]) {
  double t = root(r, x), y[3], s2 = 0, inside = 0, d[3];
  int least = r[0] <= r[1] ? (r[0] <= r[2] ? 0 : 2) : (r[1] <= r[2] ? 1 : 2);
  for (int k = 0; k < 3; k++) {
    y[k] = x[k] == 0 ? 0 : r[k] * r[k] * x[k] / (t + r[k] * r[k]);
    s2 += y[k] * y[k] / (r[k] * r[k]);
    inside += x[k] * x[k] / (r[k] * r[k]);
  }
  /* In the middle plane two points are nearest; one is taken. */
  if (t <= -r[least] * r[least] && s2 < 1) y[least] = r[least] * sqrt(1 - s2);
  for (int k = 0; k < 3; k++) g[k] = y[k] / (r[k] * r[k]);
  double length = sim_norm(g);
  for (int k = 0; k < 3; k++) g[k] /= length;
  sim_sub(x, y, d);
  return inside < 1 ? -sim_norm(d) : sim_norm(d);
}

static double capsule(double half, double round, const double x[3], double g[3]) {
  double d[3] = {x[0], x[1], x[2] - fmax(-half, fmin(half, x[2]))}, length = sim_norm(d);
  for (int k = 0; k < 3; k++) g[k] = length > 0 ? d[k] / length : k == 0;
  return length - round;
}

static double box_distance(const double half[3], double round, const double x[3], double g[3]) {
  double q[3], out[3], most = -INFINITY;
  int wall = 0;
  for (int k = 0; k < 3; k++) {
    q[k] = fabs(x[k]) - (half[k] - round);
    out[k] = fmax(q[k], 0);
    if (q[k] > most) {
      most = q[k];
      wall = k;
    }
  }
  double length = sim_norm(out);
  for (int k = 0; k < 3; k++) g[k] = copysign(length > 0 ? out[k] / length : k == wall, x[k]);
  return (length > 0 ? length : most) - round;
}

static double part_at(const sim_shape_placed *p, const double from_origin[3], double gradient[3]) {
  double x[3], g[3], f;
  for (int k = 0; k < 3; k++) x[k] = sim_dot(p->axis[k], from_origin);
  switch (p->kind) {
    case SIM_SHAPE_ELLIPSOID: f = ellipsoid(p->half, x, g); break;
    case SIM_SHAPE_CAPSULE: f = capsule(p->half[2], p->round, x, g); break;
    default: f = box_distance(p->half, p->round, x, g); break;
  }
  for (int k = 0; k < 3; k++)
    gradient[k] = g[0] * p->axis[0][k] + g[1] * p->axis[1][k] + g[2] * p->axis[2][k];
  return f;
}

/* ---- blending, bumps, shell, cuts ---- */

/* Replaces a by the lesser of a and b, less a parabola where they differ by less than `within`. */
static void lesser(double *a, double ga[3], double b, const double gb[3], double within) {
  double share = within > 0 ? fmax(within - fabs(*a - b), 0) / (2 * within) : 0,
         of_b = b < *a ? 1 - share : share;
  *a = fmin(*a, b) - share * share * within;
  for (int k = 0; k < 3; k++) ga[k] += of_b * (gb[k] - ga[k]);
}

static void greater(double *a, double ga[3], double b, const double gb[3], double within) {
  double minus[3] = {-gb[0], -gb[1], -gb[2]};
  *a = -*a;
  for (int k = 0; k < 3; k++) ga[k] = -ga[k];
  lesser(a, ga, -b, minus, within);
  *a = -*a;
  for (int k = 0; k < 3; k++) ga[k] = -ga[k];
}

/* Bumps: subtracts a third of bump_m (sin x sin y + sin y sin z + sin z sin x), which makes waves on walls of
 * every direction. */
static void bump(const sim_shape_body *b, const double x[3], double *f, double g[3]) {
  double k = 2 * CB_PI / b->bump_every_m, s[3], c[3];
  for (int i = 0; i < 3; i++) {
    s[i] = sin(k * x[i]);
    c[i] = cos(k * x[i]);
  }
  *f -= b->bump_m / 3 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
  for (int i = 0; i < 3; i++) g[i] -= b->bump_m / 3 * k * c[i] * (s[(i + 1) % 3] + s[(i + 2) % 3]);
}

static void shell(const sim_shape_body *b, double *f, double g[3]) {
  double inner = b->shell_m[0] - *f, inwards[3] = {-g[0], -g[1], -g[2]};
  *f -= b->shell_m[1];
  greater(f, g, inner, inwards, b->edge_m);
}

double sim_shape_field_at(const sim_shape_field *field, const double x[3], double gradient[3]) {
  const sim_shape_body *b = field->body;
  double f = INFINITY, own[3], away[3], g[3] = {0, 0, 0};
  for (int i = 0; i < b->n_parts; i++) {
    const sim_shape_placed *p = &field->part[i];
    sim_sub(x, p->origin, away);
    if (sim_norm(away) - p->reach >= f + b->blend_m) continue; /* it could change nothing */
    if (p->kind == SIM_SHAPE_ELLIPSOID && surely_off(p, away, f + b->blend_m)) continue;
    double one = part_at(p, away, own);
    if (f == INFINITY) {
      f = one;
      memcpy(g, own, sizeof g);
    } else {
      lesser(&f, g, one, own, b->blend_m);
    }
  }
  if (b->bump_m > 0) bump(b, x, &f, g);
  if (b->shell_m[1] > b->shell_m[0]) shell(b, &f, g);
  for (int i = 0; i < b->n_cuts; i++) {
    sim_sub(x, field->cut[i].origin, away);
    double one = part_at(&field->cut[i], away, own);
    for (int k = 0; k < 3; k++) own[k] = -own[k];
    greater(&f, g, -one, own, b->edge_m);
  }
  if (gradient) memcpy(gradient, g, sizeof g);
  return f;
}

void sim_shape_field_project(const sim_shape_field *f, double level, int steps, double x[3],
                             double normal[3]) {
  for (int i = 0; i <= steps; i++) {
    double off = sim_shape_field_at(f, x, normal) - level, square = sim_dot(normal, normal);
    if (square > 0 && i < steps) sim_add(x, -off / square, normal);
    if (square > 0 && i == steps)
      for (int k = 0; k < 3; k++) normal[k] /= sqrt(square);
  }
}

/* ---- init ---- */

static sim_shape_placed placed(const sim_shape_part *p) {
  sim_shape_placed out = {.kind = p->kind, .round = p->round_m};
  memcpy(out.origin, p->origin_m, sizeof out.origin);
  memcpy(out.half, p->half_m, sizeof out.half);
  for (int k = 0; k < 3; k++) {
    out.axis[k][k] = 1;
    sim_turn(out.axis[k], p->turned_rad, 1);
  }
  out.reach = p->kind == SIM_SHAPE_CAPSULE ? p->half_m[2] + p->round_m
              : p->kind == SIM_SHAPE_BOX   ? sim_norm(p->half_m)
                                           : fmax(p->half_m[0], fmax(p->half_m[1], p->half_m[2]));
  return out;
}

void sim_shape_field_init(sim_shape_field *f, const sim_shape_body *b) {
  f->body = b;
  /* The bumps' gradient: each component at most 2/3 of height times wave number. */
  f->steepest = 1 + (b->bump_m > 0 ? 2 / sqrt(3) * b->bump_m * 2 * CB_PI / b->bump_every_m : 0);
  double more = b->blend_m / 4 * (b->n_parts - 1) + b->bump_m + fmax(b->shell_m[1], 0);
  for (int k = 0; k < 3; k++) {
    f->low[k] = INFINITY;
    f->high[k] = -INFINITY;
  }
  for (int i = 0; i < b->n_parts; i++) {
    f->part[i] = placed(&b->part[i]);
    for (int k = 0; k < 3; k++) {
      f->low[k] = fmin(f->low[k], f->part[i].origin[k] - f->part[i].reach - more);
      f->high[k] = fmax(f->high[k], f->part[i].origin[k] + f->part[i].reach + more);
    }
  }
  for (int i = 0; i < b->n_cuts; i++) f->cut[i] = placed(&b->cut[i]);
}
