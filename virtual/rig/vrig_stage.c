#include "vrig_stage.h"

#include <math.h>

#include "cb_num.h"

void vrig_stage_init(vrig_stage *s, double min_m, double max_m, double at_m) {
  *s = (vrig_stage){.min_m = min_m, .max_m = max_m, .end_s = -INFINITY, .end_m = at_m};
}

static void add_ripple(const vrig_stage *s, double *x_m, double *v_m_per_s) {
  double per_m = 2 * CB_PI / s->ripple_wave_m, phase = per_m * (*x_m - s->ripple_from_m);
  *x_m += s->ripple_m * sin(phase);
  *v_m_per_s *= 1 + s->ripple_m * per_m * cos(phase);
}

void vrig_stage_at(const vrig_stage *s, double t_s, double *x_m, double *v_m_per_s) {
  *x_m = s->end_m;
  *v_m_per_s = 0;
  if (t_s >= s->end_s) return;
  size_t i = s->n - 1;
  while (i > 0 && t_s < s->leg[i].t_s) i--;
  const vrig_stage_leg *l = &s->leg[i];
  double dt = t_s - l->t_s;
  *x_m = l->x_m + dt * (l->v_m_per_s + 0.5 * l->a_m_per_s2 * dt);
  *v_m_per_s = l->v_m_per_s + l->a_m_per_s2 * dt;
  if (s->ripple_m != 0) add_ripple(s, x_m, v_m_per_s);
}

bool vrig_stage_moving(const vrig_stage *s, double t_s) { return t_s < s->end_s; }

/* ---- planning ---- */

typedef struct cursor {
  double t, x, v;
} cursor;

/* Throws the old plan away and returns the state from which a new one starts. */
static cursor begin_plan(vrig_stage *s, double now_s) {
  cursor c = {.t = now_s};
  vrig_stage_at(s, now_s, &c.x, &c.v);
  s->n = 0;
  s->ripple_m = 0;
  s->homes = false;
  return c;
}

static void add_segment(vrig_stage *s, cursor *c, double a, double duration) {
  if (!(duration > 0)) return;
  s->leg[s->n++] = (vrig_stage_leg){c->t, c->x, c->v, a};
  c->x += duration * (c->v + 0.5 * a * duration);
  c->v += a * duration;
  c->t += duration;
}

static void end(vrig_stage *s, const cursor *c, double x_m) {
  s->end_s = c->t;
  s->end_m = fmin(fmax(x_m, s->min_m), s->max_m);
}

/* The acceleration, or more where it would not do before the end of the track. */
static double enough(const vrig_stage *s, const cursor *c, double a) {
  if (c->v == 0) return a;
  double room = c->v > 0 ? s->max_m - c->x : c->x - s->min_m;
  return fmax(a, c->v * c->v / (2 * room));
}

static void brake(vrig_stage *s, cursor *c, double a) {
  add_segment(s, c, c->v > 0 ? -a : a, fabs(c->v) / a);
  c->v = 0;
}

void vrig_stage_stop(vrig_stage *s, double now_s, double acceleration_m_per_s2) {
  cursor c = begin_plan(s, now_s);
  brake(s, &c, enough(s, &c, acceleration_m_per_s2));
  end(s, &c, c.x);
}

void vrig_stage_halt(vrig_stage *s, double now_s) {
  cursor c = begin_plan(s, now_s);
  end(s, &c, c.x);
}

void vrig_stage_move(vrig_stage *s, double now_s, double target_m, double speed_m_per_s,
                     double acceleration_m_per_s2) {
  cursor c = begin_plan(s, now_s);
  double a = enough(s, &c, acceleration_m_per_s2);
  double stops_at = c.x + c.v * fabs(c.v) / (2 * a), dir = target_m >= stops_at ? 1 : -1;
  if (c.v * dir < 0) brake(s, &c, a); /* it runs away from the target, or past it */
  double way = fabs(target_m - c.x), u = fabs(c.v);
  double peak = fmin(speed_m_per_s, sqrt(a * way + 0.5 * u * u));
  double cruise = way - (fabs(peak * peak - u * u) + peak * peak) / (2 * a);
  add_segment(s, &c, peak >= u ? dir * a : -dir * a, fabs(peak - u) / a);
  c.v = dir * peak;
  if (cruise > 0) add_segment(s, &c, 0, cruise / peak);
  brake(s, &c, a);
  end(s, &c, target_m);
}

void vrig_stage_ripple(vrig_stage *s, double share, double wave_m) {
  if (s->n == 0) return;
  double from_m = s->leg[0].x_m, way_m = fabs(s->end_m - from_m), waves = fmax(nearbyint(way_m / wave_m), 1);
  s->ripple_from_m = from_m;
  s->ripple_wave_m = way_m / waves;
  s->ripple_m = share * s->ripple_wave_m / (2 * CB_PI);
}

double vrig_stage_peak_m_per_s(const vrig_stage *s) {
  double peak = 0;
  for (size_t i = 0; i < s->n; i++) peak = fmax(peak, fabs(s->leg[i].v_m_per_s));
  return peak;
}
