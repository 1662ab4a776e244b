/* The rig file (rigs/NAME.yaml): what stands on the bench, how it is wired and, for a virtual rig, what is true inside it.
 * Both ends of the wire read it: daq as the host, vrig as the instruments. docs/rig-file.md lists every key. */
#ifndef CB_RIG_H
#define CB_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_yaml.h"

typedef enum cb_stage_driver { CB_STAGE_ZABER_ASCII, CB_STAGE_GRBL, CB_STAGE_MARK10_ESM, CB_STAGE_SMC100 } cb_stage_driver;
typedef enum cb_force_driver {
  CB_FORCE_LINE,
  CB_FORCE_FUTEK_D500,
  CB_FORCE_MARK10_GCL,
  CB_FORCE_MT_SICS,
  CB_FORCE_MARK10_ESM, /* through the stage's port: stand and gauge are one instrument */
  CB_FORCE_COMEDI
} cb_force_driver;
extern const char *const cb_stage_driver_names[]; /* "zaber-ascii", "grbl", "mark10-esm", "smc100", NULL */
extern const char *const cb_force_driver_names[]; /* "line", "futek-d500", "mark10-gcl", "mt-sics", "mark10-esm", "comedi", NULL */

typedef struct cb_rig_stage {
  int driver;     /* cb_stage_driver */
  char port[128]; /* "/dev/ttyUSB0"; "virtual": the emulator's */
  int baud;
  int device_address;              /* Zaber, SMC100: 1..99 */
  char axis[2];                    /* Grbl: "X", "Y" or "Z" */
  char serial[32];                 /* expected serial number, where the device tells one; "": any */
  double microstep_m;              /* smallest step of the position */
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
  char serial[32];          /* expected serial number of the read-out, where it tells one; "": any */
  char cell[64];            /* serial number of the load cell: what a calibration belongs to; "": not said */
  char unit[16];            /* of the reading: "N", "g", "mV/V" ... (cb_unit) */
  double rate_Hz;           /* nominal */
  double overload_N;        /* the guard stops the stage above this ... */
  double overload_N_per_s;  /* ... and above this rate of change; 0: not watched */
  double silence_timeout_s; /* no sample for so long: lost stream */
  int field;                /* line: index of the number in the line, from 0 */
  char separator[2];        /* line: between fields; "" = white space */
  char terminator[5];       /* line: "cr", "lf", "crlf" or one printable character; "": CR or LF, whichever comes */
  double scale;             /* line: reading = number * scale */
} cb_rig_force;

/* Channels of a Comedi board, scanned in this order. quantity = volts * scale + offset (force: in force.unit). */
typedef enum cb_comedi_quantity { CB_COMEDI_FORCE, CB_COMEDI_DISPLACEMENT, CB_COMEDI_EXCITATION, CB_COMEDI_TEMPERATURE } cb_comedi_quantity;
typedef enum cb_comedi_aref { CB_AREF_GROUND, CB_AREF_COMMON, CB_AREF_DIFF, CB_AREF_OTHER } cb_comedi_aref; /* as in comedi.h */
#define CB_COMEDI_CHANNELS_MAX 8
typedef struct cb_comedi_channel {
  int quantity; /* cb_comedi_quantity; each at most once, force always */
  int channel, range, aref;
  double scale, offset; /* force: force.unit per volt; displacement: m, excitation: V, temperature: degC */
} cb_comedi_channel;
typedef struct cb_rig_comedi {
  bool present;
  int subdevice; /* -1: the first analog input */
  double buffer_s;
  char calibration[256]; /* soft calibration file; "": the board's default if there is one, else its hard calibration */
  size_t n;
  cb_comedi_channel channel[CB_COMEDI_CHANNELS_MAX];
} cb_rig_comedi;

/* An emergency-stop contact on a modem line of a serial port. */
typedef enum cb_modem_line { CB_LINE_CTS, CB_LINE_DSR, CB_LINE_DCD, CB_LINE_RI } cb_modem_line;
typedef struct cb_rig_estop {
  bool present;
  char port[128];
  int line;         /* cb_modem_line */
  bool stop_if_set; /* false: a line that drops (contact open, cable off) stops the stage */
} cb_rig_estop;

/* reading -> force: F = (reading - zero) * slope. Zero is taken before every run. Declared in the rig file, or the newest one that
 * `calibrate` stored for the cell. */
typedef struct cb_rig_calibration {
  bool present;
  double slope_N_per_unit; /* unit = force.unit; 0: unknown */
  double u_rel;            /* relative standard uncertainty of the slope */
  double resolution;       /* digit of the reading, in force.unit */
  char certificate[64];
  char valid_from[32]; /* ISO 8601 date; "": not said */
  double valid_days;   /* 0: without end */
} cb_rig_calibration;

typedef struct cb_rig_bench {
  double cart_mass_kg; /* cart with body sample, without added mass */
  double u_mass_kg;    /* standard uncertainty of the total mass */
  double contact_area_m2;
  double link_stiffness_N_per_m; /* load cell and pull line between slider and cart */
  double link_slack_m;           /* free play of the link to either side of its middle; > 0, so that zero force can be seen */
  double gravity_m_per_s2;
  double u_angle_deg; /* standard uncertainty of the sample's orientation */
  /* Standard uncertainties of the pull line's direction against the stage's: up or down, and to the side; 0: not said. Both or neither. */
  double u_line_pitch_deg, u_line_yaw_deg;
} cb_rig_bench;

/* Ground truth of a virtual rig: F_k(theta, N) = sum over the quadratic form with f_ij(N) = c_ij (N / 1 N)^n_ij [N], for one
 * contact area; the static law is the kinetic one times (1 + static_excess); velocity: F_k *= 1 + stribeck_excess
 * exp(-(v/v_s)^2) + log_velocity * ln(v / v_ref). */
typedef enum cb_rig_body { CB_RIG_BODY_PLAIN, CB_RIG_BODY_MEAN, CB_RIG_BODY_PRODUCT } cb_rig_body;
typedef struct cb_rig_truth {
  double c00, c01, c11; /* coefficients [N] at N = 1 N */
  double n00, n01, n11; /* exponents */
  double static_excess; /* F_s / F_k - 1 >= 0 */
  double stribeck_excess, stribeck_speed_m_per_s;
  double log_velocity, reference_speed_m_per_s;
  int body_rule;               /* cb_rig_body: how the directions of a body that is a cloth itself count; PLAIN: it has none */
  double body_cos2, body_sin2; /* its tensor: 1 + body_cos2 cos 2 phi + body_sin2 sin 2 phi */
  double repeat_sd_rel;        /* sample-to-sample scatter of friction from run to run */
} cb_rig_truth;

typedef struct cb_rig_virtual {
  bool present; /* the rig file has a `virtual` section */
  long long seed;
  double time_scale; /* rig seconds per wall second */
  cb_rig_truth truth;
  double slope_N_per_unit; /* truth of the load cell; what the calibration section declares, if not said */
  double noise_sd;         /* of a reading, in force.unit */
  double drift_per_s;      /* of the reading, in force.unit per second */
  double zero;             /* reading at zero force */
  double quantum;          /* digit of the read-out */
  double latency_s;        /* rig seconds from physics to wire */
  double link_damping_Ns_per_m;
  double line_pitch_deg, line_yaw_deg; /* truth of the pull line: up towards the cell, and to the side */
} cb_rig_virtual;

typedef struct cb_rig {
  char name[64];
  char path[256];
  char *text; /* the file as read: goes into the store as the snapshot; owned */
  cb_rig_stage stage;
  cb_rig_force force;
  cb_rig_comedi comedi; /* present exactly where force.driver is comedi */
  cb_rig_estop estop;
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
