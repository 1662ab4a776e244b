/* One pull with its conditions, its channels, zeros and strokes. SI; raw values in the unit of the read-out. */
#ifndef CB_RUN_H
#define CB_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_origin.h"

typedef enum cb_run_status { CB_RUN_RUNNING, CB_RUN_DONE, CB_RUN_FAILED, CB_RUN_ABORTED, CB_RUN_INTERRUPTED } cb_run_status;
extern const char *const cb_run_status_names[]; /* "running", "done", "failed", "aborted", "interrupted", NULL */
typedef enum cb_run_kind { CB_RUN_PULL, CB_RUN_SLIDE } cb_run_kind;
extern const char *const cb_run_kind_names[]; /* "pull", "slide", NULL; slides are kept apart for validation, never fitted */

typedef struct cb_run {
  int64_t id;
  char uuid[37];
  int64_t campaign_id, cloth_id, body_id, rig_id, calibration_id;
  cb_run_kind kind;
  double angle_deg;      /* cloth orientation on the bed, 0 = warp along the pull */
  double body_angle_deg; /* the same of a body that is a cloth itself; NAN: not known, or the body has no directions */
  double cart_mass_kg, added_mass_kg;
  double normal_force_N, u_normal_force_N;
  double contact_area_m2;
  double incline_deg;             /* of the bed; 0 = level */
  double speed_m_per_s, travel_m; /* commanded */
  int direction;                  /* +1 forward, -1 backward */
  int repeat;                     /* from 1 */
  double rate_Hz;                 /* nominal, of a read-out with a clock of its own; 0: it has none, every reading's stamp is its time */
  cb_origin origin;
  char source[256]; /* imported: file:line; else the rig's name */
  char started_at[32], finished_at[32];
  cb_run_status status;
  char reason[256]; /* why it failed, "" if done */
  char flags[128];  /* what must be known before the run is trusted, words with a blank between: "uncalibrated zero-drift"; "" = nothing */
} cb_run;

/* Two angles of the body are the same, known or not. */
bool cb_run_same_body_angle(double a_deg, double b_deg);

typedef enum cb_channel {
  CB_CHANNEL_FORCE,        /* reading in the calibration's unit */
  CB_CHANNEL_POSITION,     /* of the stage [m] */
  CB_CHANNEL_EXCITATION,   /* of the load cell's bridge [V] */
  CB_CHANNEL_TEMPERATURE,  /* degC */
  CB_CHANNEL_DISPLACEMENT, /* of the cart or the stage, by a sensor of its own [m] */
  CB_CHANNEL_SPEED,        /* of the stage [m/s], where its position was not recorded */
  CB_N_CHANNELS
} cb_channel;
extern const char *const cb_channel_names[]; /* "force", "position", ..., NULL */

/* What turns the raw samples of a channel into its unit, where they are not in it already (a board's converter):
 * value = (c0 + c1 x + c2 x^2 + c3 x^3) * scale + offset, x = raw - origin. And how the channel was really sampled. */
typedef struct cb_run_channel {
  int64_t run_id;
  cb_channel channel;
  char device[128];     /* board and channel */
  char conversion[160]; /* where the polynomial came from: "hard calibration", "soft calibration FILE", "none" */
  double origin, c[4];
  double scale, offset;
  double granted_rate_Hz;                  /* as the driver granted it; 0: nobody did */
  double skew_s;                           /* the channel is converted so long after the first one of its scan */
  double raw_max;                          /* raw values 0 and raw_max mean: clipped; 0: no such limit */
  double clock_offset_s, u_clock_offset_s; /* to be added to the channel's stamps: its clock is not the force's (standard uncertainty) */
} cb_run_channel;
double cb_run_channel_value(const cb_run_channel *c, double raw);

/* The reading without force, before the pull and after it, at rest and with a slack link; in the calibration's unit. */
typedef enum cb_zero_phase { CB_ZERO_BEFORE, CB_ZERO_AFTER } cb_zero_phase;
typedef struct cb_run_zero {
  int64_t run_id;
  cb_zero_phase phase;
  double mean, sd;
  size_t n;
  double t_s; /* run time of its middle */
} cb_run_zero;

/* Strokes of a record that labels them instead of telling where the stage was; first and n: samples of the force. */
typedef struct cb_run_stroke {
  int64_t run_id, first, n;
  int direction;
} cb_run_stroke;

#endif
