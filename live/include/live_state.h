/* What the viewer knows of the campaign, from the events it took. Pure: no clock, no screen. */
#ifndef LIVE_STATE_H
#define LIVE_STATE_H

#include "live.h"
#include "live_ring.h"

#define LIVE_BINS 240 /* of the displacement */

/* The plateau so far is taken over about the same way as the reduction's default (fit_pull): once the force has passed half of its
 * highest, from 0.3 of what is left of the travel, to 0.95 of the whole. */
#define LIVE_PLATEAU_FROM 0.3
#define LIVE_PLATEAU_TO 0.95

typedef struct live_state {
  live_plan plan;
  live_moment moment;
  bool begun;               /* a moment was said */
  double begun_s;           /* wall, without pauses: first moment */
  double since_s;           /* the present one */
  double ended_s;           /* the last LIVE_RUN_ENDED */
  double zero;              /* reading; NAN: not known yet */
  double force_N;           /* now, along the pull; NAN: not known yet */
  double x_m;               /* displacement since the pull began */
  double start_m;           /* of the stage */
  double peak_N;            /* of this pull */
  size_t n_bins[LIVE_BINS]; /* readings per bin of displacement */
  double low_N[LIVE_BINS], high_N[LIVE_BINS];
  double sum_N[LIVE_BINS], sum_N2[LIVE_BINS]; /* of the forces, and of their squares */
} live_state;

typedef struct live_plateau {
  double from_m, mean_N, sd_N; /* mean, sd: NAN for too few */
  size_t n;                    /* readings */
} live_plateau;

void live_state_init(live_state *s, const live_plan *plan);
/* now_s: monotonic, without pauses. */
void live_state_take(live_state *s, const live_event *e, double now_s);

double live_state_normal_force_N(const live_state *s);
live_plateau live_state_plateau(const live_state *s);
/* Wall seconds; estimates. NAN: nothing to say. */
double live_state_run_left_s(const live_state *s, double now_s);
double live_state_campaign_left_s(const live_state *s, double now_s);

#endif
