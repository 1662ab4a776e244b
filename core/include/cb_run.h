/* One pull with its conditions, channels, zeros and strokes. SI units; raw values in the unit of the
 * read-out. */
#ifndef CB_RUN_H
#define CB_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_origin.h"

typedef enum cb_run_status {
  CB_RUN_RUNNING,
  CB_RUN_DONE,
  CB_RUN_FAILED,
  CB_RUN_ABORTED,
  CB_RUN_INTERRUPTED,
  CB_RUN_VOIDED /* done, and a person took it out of use (cb_store_correction.h); its rows are as they were */
} cb_run_status;
extern const char *const cb_run_status_names[]; /* "running", "done", "failed", "aborted", "interrupted",
                                                   "voided", NULL */
typedef enum cb_run_kind {
  CB_RUN_PULL,
  CB_RUN_SLIDE, /* kept apart for validation, never fitted */
  CB_RUN_LOOK   /* what `rig live` saw: no pair, direction or load is known (0, NAN), and it has no point */
} cb_run_kind;
extern const char *const cb_run_kind_names[]; /* "pull", "slide", "look", NULL */

typedef struct cb_run {
  int64_t id;
  char uuid[37];
  int64_t campaign_id, cloth_id, body_id, rig_id, calibration_id;
  int64_t specimen_id; /* 0: not recorded */
  cb_run_kind kind;
  double angle_deg;      /* cloth orientation on the bed, 0 = warp along the pull */
  double body_angle_deg; /* of a body that is a cloth; NAN: not known, or the body has no directions */
  double cart_mass_kg, added_mass_kg;
  double normal_force_N, u_normal_force_N;
  double contact_area_m2;
  double incline_deg;             /* of the bed; 0 = level */
  double speed_m_per_s, travel_m; /* commanded */
  int direction;                  /* +1 forward, -1 backward */
  int repeat;                     /* from 1 */
  double rate_Hz; /* nominal, of a read-out with its own clock; 0: none, stamps are the sample times */
  cb_origin origin;
  char source[256]; /* imported: file:line; else the rig's name */
  char started_at[32], finished_at[32];
  cb_run_status status;
  char reason[256]; /* why the run failed, or was voided; "" if done */
  char flags[128];  /* warnings, words separated by blanks: "uncalibrated zero-drift"; "": none */
} cb_run;

/* Returns true if two angles of the body are equal, or both are unknown (NAN). */
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

/* Converter of a channel, from raw samples (a board's counts) to the channel's unit: value = (c0 + c1 x + c2
 * x^2 + c3 x^3) * scale + offset, x = raw - origin. It also records how the channel was sampled. */
typedef struct cb_run_channel {
  int64_t run_id;
  cb_channel channel;
  char device[128];     /* board and channel */
  char conversion[160]; /* source of the polynomial: "hard calibration", "soft calibration FILE", "none" */
  double origin, c[4];
  double scale, offset;
  double granted_rate_Hz; /* as granted by the driver; 0: not granted by a driver */
  double skew_s;          /* delay of the channel's conversion after the first channel of its scan */
  double raw_max;         /* the raw values 0 and raw_max mean: clipped; 0: no such limit */
  /* Added to the channel's stamps, as its clock is not the force's. u: standard uncertainty. */
  double clock_offset_s, u_clock_offset_s;
} cb_run_channel;
/* Returns the converted value, without clipping or clock. */
double cb_run_channel_value(const cb_run_channel *c, double raw);

typedef enum cb_zero_phase { CB_ZERO_BEFORE, CB_ZERO_AFTER } cb_zero_phase;
/* The reading without force, at rest and with a slack link, before or after the pull. In the calibration's
 * unit. */
typedef struct cb_run_zero {
  int64_t run_id;
  cb_zero_phase phase;
  double mean, sd;
  size_t n;
  double t_s; /* of its middle, in run time */
} cb_run_zero;

/* A stroke of a record that labels its strokes instead of recording the stage's position. It holds n samples
 * of the force, from sample `first` on. */
typedef struct cb_run_stroke {
  int64_t run_id, first, n;
  int direction; /* +1 forward, -1 backward */
} cb_run_stroke;

#endif
