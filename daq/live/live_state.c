#include "live_state.h"

#include <math.h>
#include <string.h>

void live_state_init(live_state *s, const live_plan *plan) {
  *s = (live_state){.plan = *plan, .zero = NAN, .force_N = NAN, .peak_N = -INFINITY};
}

static void begin_pull(live_state *s) {
  s->zero = s->moment.zero;
  s->added_mass_kg = s->moment.added_mass_kg;
  s->start_m = s->moment.position_m;
  s->x_m = 0;
  s->peak_N = -INFINITY;
  memset(s->n_bins, 0, sizeof s->n_bins);
}

static void take_moment(live_state *s, const live_moment *m, double now_s) {
  if (!s->begun) s->begun_s = now_s;
  s->begun = true;
  s->moment = *m;
  s->since_s = now_s;
  if (m->phase == LIVE_PULLING) begin_pull(s);
  if (m->phase == LIVE_RUN_ENDED) s->ended_s = now_s;
}

static void take_force(live_state *s, double reading) {
  int direction = s->moment.direction < 0 ? -1 : 1;
  s->force_N = direction * s->plan.slope_N_per_unit * (reading - s->zero);
  if (s->moment.phase != LIVE_PULLING) return;
  double force = s->force_N;
  size_t bin = (size_t)fmin(fmax(0, s->x_m / s->plan.travel_m) * LIVE_BINS, LIVE_BINS - 1);
  if (s->n_bins[bin]++ == 0) s->low_N[bin] = s->high_N[bin] = force, s->sum_N[bin] = s->sum_N2[bin] = 0;
  s->low_N[bin] = fmin(s->low_N[bin], force);
  s->high_N[bin] = fmax(s->high_N[bin], force);
  s->sum_N[bin] += force;
  s->sum_N2[bin] += force * force;
  s->peak_N = fmax(s->peak_N, force);
}

void live_state_take(live_state *s, const live_event *e, double now_s) {
  if (e->is_moment)
    take_moment(s, &e->moment, now_s);
  else if (e->channel == LIVE_FORCE)
    take_force(s, e->value);
  else if (s->moment.phase == LIVE_PULLING)
    s->x_m = (s->moment.direction < 0 ? -1 : 1) * (e->value - s->start_m);
}

size_t live_state_run_number(const live_state *s) {
  const live_moment *m = &s->moment;
  const bool ended = m->phase == LIVE_RUN_ENDED || m->phase == LIVE_CAMPAIGN_ENDED;
  return m->done < m->total && !ended ? m->done + 1 : m->done;
}

double live_state_normal_force_N(const live_state *s) {
  return (s->plan.cart_mass_kg + s->added_mass_kg) * s->plan.gravity_m_per_s2;
}

/* The first bin in which the link is taut. */
static size_t taut_bin(const live_state *s) {
  size_t i = 0;
  while (i < LIVE_BINS - 1 && !(s->n_bins[i] && s->high_N[i] >= 0.5 * s->peak_N)) i++;
  return i;
}

live_plateau live_state_plateau(const live_state *s) {
  live_plateau p = {.mean_N = NAN, .sd_N = NAN};
  double sum = 0, sum2 = 0, taut = s->peak_N > 0 ? (double)taut_bin(s) : 0;
  double from = taut + LIVE_PLATEAU_FROM * (LIVE_BINS - taut);
  p.from_m = from / LIVE_BINS * s->plan.travel_m;
  for (size_t i = (size_t)ceil(from); i < (size_t)(LIVE_PLATEAU_TO * LIVE_BINS); i++) {
    if (s->n_bins[i] == 0) continue;
    sum += s->sum_N[i];
    sum2 += s->sum_N2[i];
    p.n += s->n_bins[i];
  }
  if (p.n < 2) return p;
  p.mean_N = sum / (double)p.n;
  p.sd_N = sqrt(fmax(0, sum2 - sum * p.mean_N) / (double)(p.n - 1));
  return p;
}

/* Zero and pull of one run, as planned. */
static double planned_s(const live_plan *p) {
  return (p->zero_s + p->travel_m / p->speed_m_per_s) / p->time_scale;
}

double live_state_run_left_s(const live_state *s, double now_s) {
  const live_plan *p = &s->plan;
  if (!s->begun) return NAN;
  switch (s->moment.phase) {
    case LIVE_PREPARING: return planned_s(p);
    case LIVE_ZEROING:
      return fmax(planned_s(p) - (now_s - s->since_s), p->travel_m / p->speed_m_per_s / p->time_scale);
    case LIVE_PULLING: return fmax(0, p->travel_m - s->x_m) / p->speed_m_per_s / p->time_scale;
    default: return 0;
  }
}

double live_state_campaign_left_s(const live_state *s, double now_s) {
  const live_moment *m = &s->moment;
  if (!s->begun || m->phase >= LIVE_BROKEN_OFF) return NAN;
  /* What was done tells best what a run takes, moves between the pulls included. */
  double run_s = m->done > 0 && s->ended_s > s->begun_s ? (s->ended_s - s->begun_s) / (double)m->done
                                                        : planned_s(&s->plan);
  size_t after = m->total > m->done ? m->total - m->done : 0;
  if (m->phase != LIVE_RUN_ENDED && after > 0) after--;
  return live_state_run_left_s(s, now_s) + (double)after * run_s;
}
