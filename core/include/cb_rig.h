/* The rig file (rigs/NAME.yaml): what stands on the bench, how it is wired and, for a virtual rig, what is true inside it.
 * Both ends of the wire read it: daq as the host, vrig as the instruments. docs/rig-file.md lists every key. */
#ifndef CB_RIG_H
#define CB_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_yaml.h"

typedef enum cb_stage_driver { CB_STAGE_ZABER_ASCII } cb_stage_driver;
typedef enum cb_force_driver { CB_FORCE_LINE, CB_FORCE_FUTEK_D500 } cb_force_driver;
extern const char *const cb_stage_driver_names[]; /* "zaber-ascii", NULL */
extern const char *const cb_force_driver_names[]; /* "line", "futek-d500", NULL */

typedef struct cb_rig_stage {
  int driver;     /* cb_stage_driver */
  char port[128]; /* "/dev/ttyUSB0"; "virtual": the emulator's */
  int baud;
  int device_address; /* Zaber: 1..99 */
  double microstep_m;
  double limit_min_m, limit_max_m; /* soft travel limits */
  double max_speed_m_per_s, acceleration_m_per_s2;
  double start_m; /* where every pull begins */
  bool checksum;  /* send and demand message checksums */
  double reply_timeout_s;
} cb_rig_stage;

typedef struct cb_rig_force {
  int driver; /* cb_force_driver */
  char port[128];
  int baud;
  char unit[16];            /* of the reading: "N", "g", "mV/V" ... (cb_unit) */
  double rate_Hz;           /* nominal */
  double overload_N;        /* the guard stops the stage above this */
  double silence_timeout_s; /* no sample for so long: lost stream */
  int field;                /* line: index of the number in the line, from 0 */
  char separator[2];        /* line: between fields; "" = white space */
  double scale;             /* line: reading = number * scale */
} cb_rig_force;

/* reading -> force: F = (reading - zero) * slope. Zero is taken before every run. */
typedef struct cb_rig_calibration {
  double slope_N_per_unit; /* unit = force.unit */
  double u_rel;            /* relative standard uncertainty of the slope */
  double resolution;       /* digit of the reading, in force.unit */
  char certificate[64];
  char valid_from[32]; /* ISO 8601 date */
} cb_rig_calibration;

typedef struct cb_rig_bench {
  double cart_mass_kg; /* cart with body sample, without added mass */
  double u_mass_kg;    /* standard uncertainty of the total mass */
  double contact_area_m2;
  double link_stiffness_N_per_m; /* load cell and pull line between slider and cart */
  double link_slack_m;           /* free play of the link to either side of its middle; > 0, so that zero force can be seen */
  double gravity_m_per_s2;
  double u_angle_deg; /* standard uncertainty of the sample's orientation */
} cb_rig_bench;

/* Ground truth of a virtual rig: F_k(theta, N) = sum over the quadratic form with f_ij(N) = c_ij (N / 1 N)^n_ij [N], for one
 * contact area; the static law is the kinetic one times (1 + static_excess); velocity: F_k *= 1 + stribeck_excess
 * exp(-(v/v_s)^2) + log_velocity * ln(v / v_ref). */
typedef struct cb_rig_truth {
  double c00, c01, c11; /* coefficients [N] at N = 1 N */
  double n00, n01, n11; /* exponents */
  double static_excess; /* F_s / F_k - 1 >= 0 */
  double stribeck_excess, stribeck_speed_m_per_s;
  double log_velocity, reference_speed_m_per_s;
  double repeat_sd_rel; /* sample-to-sample scatter of friction from run to run */
} cb_rig_truth;

typedef struct cb_rig_virtual {
  bool present; /* the rig file has a `virtual` section */
  long long seed;
  double time_scale; /* rig seconds per wall second */
  cb_rig_truth truth;
  double noise_sd;    /* of a reading, in force.unit */
  double drift_per_s; /* of the reading, in force.unit per second */
  double zero;        /* reading at zero force */
  double quantum;     /* digit of the read-out */
  double latency_s;   /* rig seconds from physics to wire */
  double link_damping_Ns_per_m;
} cb_rig_virtual;

typedef struct cb_rig {
  char name[64];
  char path[256];
  char *text; /* the file as read: goes into the store as the snapshot; owned */
  cb_rig_stage stage;
  cb_rig_force force;
  cb_rig_calibration calibration;
  cb_rig_bench bench;
  cb_rig_virtual virt;
} cb_rig;

/* Reads and checks a rig file, cross rules included (start inside the limits, "virtual" ports need a virtual section, ...).
 * Caller frees with cb_rig_clear, also after a failure. */
CB_CHECKED cb_status cb_rig_load(const char *path, cb_rig *rig, cb_err *err);
/* The same from a text, e.g. the snapshot a store keeps with every run; name stands for the path in errors. */
CB_CHECKED cb_status cb_rig_parse(const char *text, const char *name, cb_rig *rig, cb_err *err);
void cb_rig_clear(cb_rig *rig);

/* Kinetic ground-truth force at speed v > 0 [N]; the static one is cb_rig_truth_static. Both without run-to-run scatter. */
double cb_rig_truth_kinetic(const cb_rig_truth *t, double angle_rad, double normal_force_N, double speed_m_per_s);
double cb_rig_truth_static(const cb_rig_truth *t, double angle_rad, double normal_force_N);

#endif
