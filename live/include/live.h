/* The live view of a campaign: a few lines redrawn in place on a terminal and, if wanted, a gnuplot window. A thread of its own
 * draws about ten times a second; the measurement only pushes into a ring (live_ring.h) and never waits for a screen. What a slow
 * terminal or a dead gnuplot does not take is dropped.
 *
 * The terminal is never put into another mode and its cursor never hidden: there is nothing to restore, however the program ends. */
#ifndef LIVE_H
#define LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* What stays the same through the campaign. Durations are the rig's; time_scale: rig seconds per wall second. */
typedef struct live_plan {
  double slope_N_per_unit; /* force = (reading - zero) * slope */
  double cart_mass_kg, gravity_m_per_s2;
  double travel_m, speed_m_per_s, zero_s, time_scale;
  int repeats;
  bool is_virtual;
} live_plan;

typedef enum live_phase { LIVE_PREPARING, LIVE_ZEROING, LIVE_PULLING, LIVE_ENDING_RUN, LIVE_RUN_ENDED, LIVE_CAMPAIGN_ENDED } live_phase;

/* Said whenever the phase changes. Samples belong to a pull in LIVE_PULLING only: LIVE_ENDING_RUN is the way back and the second zero. */
typedef struct live_moment {
  live_phase phase;
  size_t done, total;
  double angle_deg, added_mass_kg;
  int repeat, direction;
  double zero;       /* LIVE_PULLING: reading without force */
  double position_m; /* of the stage then */
} live_moment;

typedef enum live_channel { LIVE_FORCE /* reading */, LIVE_POSITION /* m */ } live_channel;

typedef struct live_options {
  int terminal;       /* descriptor to draw on; -1: none */
  bool utf8, color;   /* of the terminal */
  const char *window; /* gnuplot terminal of a window ("qt"); NULL: none */
} live_options;

typedef struct live live;

/* What the terminal on fd can do, from its kind and the environment (TERM, NO_COLOR, LC_ALL, LC_CTYPE, LANG). terminal = -1: a
 * pipe or a dumb terminal, nothing is drawn. */
live_options live_options_of(int fd);

/* The plan is copied. Caller ends with live_stop. */
CB_CHECKED cb_status live_start(const live_plan *plan, const live_options *options, live **out, cb_err *err);
/* From the measuring thread; neither waits. v may be NULL. */
void live_sample(live *v, live_channel channel, double value);
void live_say(live *v, const live_moment *moment);
/* Around words for the person (a prompt), from the measuring thread while nothing is measured: the picture stays where it is, and a
 * new one is begun below the words. The time between counts as nobody's. NULL is fine. */
void live_pause(live *v);
void live_resume(live *v);
/* Draws the last state once more, ends the thread and the window. NULL is fine. */
void live_stop(live *v);

#endif
