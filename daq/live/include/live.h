/* The live view of a campaign: a few lines redrawn in place on a terminal.
 *
 * A thread of its own draws about ten times a second. The measuring thread only pushes into a ring
 * (live_ring.h) and never waits for a screen. What a slow terminal does not take is dropped. The terminal's
 * mode and cursor are never changed, so that nothing has to be restored, however the program ends. */
#ifndef LIVE_H
#define LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* Constants of the campaign. Durations are rig time; time_scale is rig seconds per wall second. */
typedef struct live_plan {
  double slope_N_per_unit; /* force = (reading - zero) * slope */
  double cart_mass_kg, gravity_m_per_s2;
  double travel_m, speed_m_per_s, zero_s, time_scale;
  int repeats;
  bool is_virtual;
} live_plan;

typedef enum live_phase {
  LIVE_PREPARING,
  LIVE_ZEROING,
  LIVE_PULLING,
  LIVE_ENDING_RUN,
  LIVE_RUN_ENDED,
  LIVE_CAMPAIGN_ENDED,
  LIVE_BROKEN_OFF,
  LIVE_BROKEN_OFF_LOOSE
} live_phase;

/* A change of phase. Samples belong to a pull in LIVE_PULLING only. LIVE_ENDING_RUN is the way back and the
 * second zero. The last two: the campaign ended early; its stage has stopped, or may still move. */
typedef struct live_moment {
  live_phase phase;
  size_t done, total; /* runs of this session */
  double angle_deg, added_mass_kg;
  int repeat, direction;
  double zero;       /* LIVE_PULLING: reading without force */
  double position_m; /* of the stage at that moment */
} live_moment;

/* What is known of the pulls that were made. */
#define LIVE_TEXT 400
typedef struct live_verdict {
  bool strikes; /* the pull is worth nothing: shown so that nobody misses it */
  char verdict[LIVE_TEXT], advice[LIVE_TEXT], count[LIVE_TEXT]; /* "": no line */
} live_verdict;

typedef enum live_channel { LIVE_FORCE /* reading */, LIVE_POSITION /* m */ } live_channel;

typedef struct live_options {
  int terminal;     /* file descriptor to draw on; -1: none */
  bool utf8, color; /* of the terminal */
} live_options;

typedef struct live live;

/* Returns the abilities of the terminal on fd, from its kind and the environment (TERM, NO_COLOR, LC_ALL,
 * LC_CTYPE, LANG). terminal is -1, so that nothing is drawn, for a pipe or a dumb terminal. */
live_options live_options_of(int fd);

/* Starts the view. plan is copied. The caller ends *out with live_stop; *out is NULL on failure.
 * CB_E_IO: no thread. CB_E_NOMEM. */
CB_CHECKED cb_status live_start(const live_plan *plan, const live_options *options, live **out, cb_err *err);
/* Push a sample or a change of phase, from the measuring thread. Neither waits. v may be NULL. */
void live_sample(live *v, live_channel channel, double value);
void live_say(live *v, const live_moment *moment);
/* Shows a verdict until the next one, from the measuring thread. It waits for no screen. v may be NULL. */
void live_judge(live *v, const live_verdict *verdict);
/* Enclose text for the person (a prompt), from the measuring thread while nothing is measured. The picture
 * stays where it is, and a new one begins below the text. The time in between does not count in estimates. v
 * may be NULL. */
void live_pause(live *v);
void live_resume(live *v);
/* Draws the last state, ends the thread, and frees v, which may be NULL. */
void live_stop(live *v);

/* Lines of text in place of that picture, in the same way: a thread of its own draws the last text. */
#define LIVE_WORDS_SIZE 2048
typedef struct live_words live_words;
/* The caller ends *out with live_words_stop; *out is NULL on failure. Errors: those of live_start. */
CB_CHECKED cb_status live_words_start(const live_options *options, live_words **out, cb_err *err);
/* Shows a text of at most 13 lines until the next one; every line ends in "\n". It waits for nothing: a text
 * that comes while another is taken is left out. w may be NULL. */
void live_words_say(live_words *w, const char *text);
/* Draws the last text, ends the thread, and frees w, which may be NULL. */
void live_words_stop(live_words *w);

#endif
