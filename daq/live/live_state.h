/* The viewer's state of the campaign, from the events it took. Pure: no clock, no screen. */
#ifndef LIVE_STATE_H
#define LIVE_STATE_H

#include "live.h"
#include "live_ring.h"

#define LIVE_BINS 240 /* of the displacement */

/* Window of the plateau shown, about that of the reduction (docs/method/friction-fit.md). It begins once the
 * force has passed half of its highest value, at 0.3 of the travel left, and ends at 0.95 of the whole
 * travel. */
#define LIVE_PLATEAU_FROM 0.3
#define LIVE_PLATEAU_TO 0.95

typedef struct live_state {
  live_plan plan;
  live_moment moment;
  live_verdict verdict;
  bool begun;               /* there was a moment */
  double begun_s;           /* wall time without pauses: of the first moment */
  double since_s;           /* of the present moment */
  double ended_s;           /* of the last LIVE_RUN_ENDED */
  double zero;              /* reading; NAN: not known yet */
  double force_N;           /* present, along the pull; NAN: not known yet */
  double x_m;               /* displacement since the pull began */
  double start_m;           /* of the stage at the start of the pull */
  double peak_N;            /* of this pull */
  double added_mass_kg;     /* in this pull: the next cell may have another */
  size_t n_bins[LIVE_BINS]; /* readings per bin of displacement */
  double low_N[LIVE_BINS], high_N[LIVE_BINS];
  double sum_N[LIVE_BINS], sum_N2[LIVE_BINS]; /* sums of the forces and of their squares */
} live_state;

typedef struct live_plateau {
  double from_m, mean_N, sd_N; /* mean, sd: NAN for too few */
  size_t n;                    /* readings */
} live_plateau;

/* Starts with an empty state; plan is copied. */
void live_state_init(live_state *s, const live_plan *plan);
/* Updates the state by an event. now_s is monotonic wall time without pauses. */
void live_state_take(live_state *s, const live_event *e, double now_s);

/* Number of the present or last run, from 1. */
size_t live_state_run_number(const live_state *s);
/* Normal force of the present or last pull, and its plateau so far. */
double live_state_normal_force_N(const live_state *s);
live_plateau live_state_plateau(const live_state *s);
/* Return estimates of the wall time left [s]; NAN: not known. */
double live_state_run_left_s(const live_state *s, double now_s);
double live_state_campaign_left_s(const live_state *s, double now_s);

#endif
