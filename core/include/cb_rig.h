/* The rig file (rigs/NAME.yaml): what stands on the bench, how it is wired and, for a virtual rig, its true
 * properties. Both ends of the wire read it: daq as the host, vrig as the instruments.
 * docs/reference/rig-file.md lists every key. */
#ifndef CB_RIG_H
#define CB_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_rig_lines.h"
#include "cb_yaml.h"

typedef enum cb_stage_driver {
  CB_STAGE_ZABER_ASCII,
  CB_STAGE_GRBL,
  CB_STAGE_MARK10_ESM,
  CB_STAGE_SMC100,
  CB_STAGE_LINES,   /* whatever the section `lines` describes */
  CB_STAGE_PROCESS, /* a program of somebody's own; the port is its command line */
  CB_STAGE_APT,
  CB_STAGE_DRIVERS
} cb_stage_driver;
typedef enum cb_force_driver {
  CB_FORCE_LINE,
  CB_FORCE_FUTEK_D500,
  CB_FORCE_MARK10_GCL,
  CB_FORCE_MT_SICS,
  CB_FORCE_MARK10_ESM, /* on the stage's port: stand and gauge are one instrument */
  CB_FORCE_COMEDI,
  CB_FORCE_MODBUS_RTU,
  CB_FORCE_SCPI,
  CB_FORCE_PROCESS,
  CB_FORCE_DRIVERS
} cb_force_driver;
extern const char *const cb_stage_driver_names[]; /* "zaber-ascii", "grbl", ... NULL, as cb_stage_driver */
extern const char *const cb_force_driver_names[]; /* "line", "futek-d500", ... "comedi", NULL, as
                                                     cb_force_driver */

typedef enum cb_motor { CB_MOTOR_SERVO, CB_MOTOR_STEPPER } cb_motor;
typedef struct cb_rig_stage {
  int driver;     /* cb_stage_driver */
  char port[128]; /* "/dev/ttyUSB0"; "virtual": the emulator's */
  int baud;
  int device_address;              /* Zaber, SMC100, lines: 1..99 */
  char axis[2];                    /* Grbl: "X", "Y" or "Z" */
  int motor;                       /* APT: cb_motor */
  char serial[32];                 /* expected serial number, where the device reports one; "": any */
  double microstep_m;              /* smallest step of the position */
  double limit_min_m, limit_max_m; /* soft travel limits */
  double max_speed_m_per_s, acceleration_m_per_s2;
  double start_m;     /* position where every pull begins */
  double max_force_N; /* what it pulls with; 0: not said */
  bool checksum;      /* message checksums are sent and demanded */
  double reply_timeout_s;
  cb_rig_lines *lines;    /* drivers lines, process, else NULL; owned by the rig */
  char stop_command[256]; /* driver process: stops the stage without that program */
} cb_rig_stage;

/* How numbers stand in Modbus registers of 16 bits: "swapped" has the low word first. */
typedef enum cb_modbus_type {
  CB_MODBUS_FLOAT,
  CB_MODBUS_FLOAT_SWAPPED,
  CB_MODBUS_INT16,
  CB_MODBUS_INT32,
  CB_MODBUS_INT32_SWAPPED
} cb_modbus_type;
typedef enum cb_parity { CB_PARITY_NONE, CB_PARITY_EVEN, CB_PARITY_ODD } cb_parity;
#define CB_ASKED_MOST_HZ 100.0 /* of a read-out that is asked for every reading: the loop turns so often */
typedef struct cb_rig_modbus {
  bool present;
  int address, function, register_; /* 1..247; 3 or 4; as sent, from 0 */
  int type, parity;                 /* cb_modbus_type, cb_parity */
  int decimals;                     /* reading = number / 10^decimals * scale */
  int decimals_register;            /* where the device has them; -1: as above */
} cb_rig_modbus;

typedef struct cb_rig_force {
  int driver; /* cb_force_driver */
  char port[128];
  int baud;
  char serial[32];         /* expected serial number of the read-out, where it reports one; "": any */
  char cell[64];           /* serial number of the load cell, to which a calibration belongs; "": not given */
  char unit[16];           /* of the reading: "N", "g", "mV/V" ... (cb_unit) */
  double rate_Hz;          /* nominal */
  double overload_N;       /* the guard stops the stage above this force */
  double capacity_N;       /* what the load cell bears; 0: not said */
  double overload_N_per_s; /* the guard stops the stage above this rate of change; 0: not watched */
  double start_timeout_s;  /* the first reading must come within this time after opening */
  double silence_timeout_s; /* the stream counts as lost after this time without a sample */
  int field;                /* driver line: index of the number in the line, from 0 */
  char separator[2];        /* driver line: between fields; "": white space */
  char terminator[5];       /* driver line: "cr", "lf", "crlf" or one printable character; "": CR or LF */
  double scale;             /* line, modbus-rtu, scpi: reading = number * scale */
  char start[96], stop[96]; /* drivers line, scpi: sent when opened and closed; "": nothing */
  char request[96];         /* these: the question that a reading answers; line, "": it sends by itself */
  cb_rig_modbus modbus;     /* present exactly where driver is modbus-rtu */
} cb_rig_force;

/* A channel of a Comedi board. quantity = volts * scale + offset. */
typedef enum cb_comedi_quantity {
  CB_COMEDI_FORCE,
  CB_COMEDI_DISPLACEMENT,
  CB_COMEDI_EXCITATION,
  CB_COMEDI_TEMPERATURE
} cb_comedi_quantity;
typedef enum cb_comedi_aref {
  CB_AREF_GROUND,
  CB_AREF_COMMON,
  CB_AREF_DIFF,
  CB_AREF_OTHER
} cb_comedi_aref; /* as in comedi.h */
#define CB_COMEDI_CHANNELS_MAX 8
typedef struct cb_comedi_channel {
  int quantity;             /* cb_comedi_quantity; each at most once, force always */
  int channel, range, aref; /* aref: cb_comedi_aref */
  double scale, offset;     /* in force.unit, m, V or degC, by quantity; scale per volt */
} cb_comedi_channel;
typedef struct cb_rig_comedi {
  bool present;
  int subdevice; /* -1: the first analog input */
  double buffer_s;
  bool polled; /* single reads, paced by this program, although the board could stream */
  /* Soft calibration file. "": the board's default file if it exists, else the board's hard calibration. */
  char calibration[256];
  size_t n;
  cb_comedi_channel channel[CB_COMEDI_CHANNELS_MAX]; /* in the order in which they are scanned */
} cb_rig_comedi;

/* An emergency-stop contact on a modem line of a serial port. */
typedef enum cb_modem_line { CB_LINE_CTS, CB_LINE_DSR, CB_LINE_DCD, CB_LINE_RI } cb_modem_line;
typedef struct cb_rig_estop {
  bool present;
  char port[128];
  int line;         /* cb_modem_line */
  bool stop_if_set; /* true: a set line stops the stage; false: a dropped one (contact open, cable off) */
} cb_rig_estop;

/* The force calibration that the rig file declares: F = (reading - zero) * slope. The zero is measured before
 * every run. A calibration that `calibrate` stored for the cell is a cb_calibration.
 * docs/guide/calibration.md says which one counts. */
typedef struct cb_rig_calibration {
  bool present;
  double slope_N_per_unit; /* unit = force.unit; 0 without the section */
  double u_rel;            /* relative standard uncertainty of the slope */
  double resolution;       /* digit of the reading, in force.unit */
  char certificate[64];
  char valid_from[32]; /* ISO 8601 date; "": not given */
  double valid_days;   /* 0: without end */
} cb_rig_calibration;

typedef struct cb_rig_bench {
  double cart_mass_kg; /* cart with body sample, without added mass */
  double u_mass_kg;    /* standard uncertainty of the total mass */
  double contact_area_m2;
  double link_stiffness_N_per_m; /* load cell and pull line between slider and cart */
  double link_slack_m; /* free play of the link to either side of its middle; > 0, so that a zero exists */
  double link_damping_Ns_per_m; /* of the link; 0: not known */
  double gravity_m_per_s2;      /* local; CB_STANDARD_GRAVITY_M_PER_S2 if the file has none */
  double u_angle_deg;           /* standard uncertainty of the sample's orientation */
  /* Standard uncertainties of the pull line's direction against the stage's: up or down, and to the side.
   * Both are given, or both are 0 (not given). */
  double u_line_pitch_deg, u_line_yaw_deg;
  char air[256]; /* folder of the sensor of the air (daq_air.h); "": none */
} cb_rig_bench;

/* Ground truth of a virtual rig, for one contact area. Without the terms from cos4 on, it is the quadratic
 * form of cb_friction_law.h with f_ij(N) = c_ij (N / 1 N)^n_ij [N].
 *
 * f_ij(N) by load_law: POWER as above; HERTZ c_ij ((N + adhesion_N) / 1 N)^(2/3), also of sticky contacts;
 * LANGMUIR c_ij N^n_ij / (1 + N / saturation_N); KINK c_ij N^n_ij, beyond kink_N times (N /
 * kink_N)^kink_exponent_change.
 *   The form is multiplied by 1 + cos4 cos 4 theta + sin4 sin 4 theta. The static force is this times (1 +
 * static_excess). The kinetic force at the speed v is this times 1 + stribeck_excess exp(-(v / v_s)^2) +
 * log_velocity ln(v / v_ref), at least 0.05.
 *
 * What the bench has gone through changes both forces by further factors (vrig_bench.h): backward_excess,
 * wear_per_run, humidity_drift_per_h, memory. dwell_log changes the static force. All are 0 where the file
 * says nothing. */
typedef enum cb_rig_body { CB_RIG_BODY_PLAIN, CB_RIG_BODY_MEAN, CB_RIG_BODY_PRODUCT } cb_rig_body;
typedef enum cb_rig_load_law {
  CB_RIG_LOAD_POWER,
  CB_RIG_LOAD_HERTZ,
  CB_RIG_LOAD_LANGMUIR,
  CB_RIG_LOAD_KINK
} cb_rig_load_law;
typedef struct cb_rig_truth {
  double c00, c01, c11; /* coefficients [N] at N = 1 N */
  double n00, n01, n11; /* exponents; not with HERTZ */
  double static_excess; /* F_s / F_k - 1 >= 0 */
  double stribeck_excess, stribeck_speed_m_per_s;
  double log_velocity, reference_speed_m_per_s;
  int body_rule; /* cb_rig_body: rule for a body with directions of its own; PLAIN: it has none */
  double body_cos2, body_sin2; /* the body's tensor: 1 + body_cos2 cos 2 phi + body_sin2 sin 2 phi */
  double repeat_sd_rel;        /* relative scatter of friction from run to run */
  double cos4, sin4;
  double backward_excess; /* F backward / F forward - 1 */
  int load_law;           /* cb_rig_load_law */
  double adhesion_N, saturation_N, kink_N, kink_exponent_change;
  double dwell_log, dwell_reference_s; /* static force: 1 + dwell_log ln(1 + rest / dwell_reference_s) */
  double wear_per_run;                 /* relative change by every run in which the cart slid */
  double humidity_drift_per_h;         /* relative change per hour of rig time */
  double memory, memory_way_m; /* 1 + memory exp(-way / memory_way_m) after a turn of the slide's direction */
} cb_rig_truth;

/* The device behind a virtual stage whose driver is lines. */
typedef enum cb_virtual_device { CB_VIRTUAL_PI_GCS, CB_VIRTUAL_ZABER } cb_virtual_device;
typedef struct cb_rig_virtual {
  bool present; /* the rig file has a `virtual` section */
  int device;   /* cb_virtual_device; -1: that of the stage's driver */
  long long seed;
  double time_scale; /* rig seconds per wall second */
  cb_rig_truth truth;
  double slope_N_per_unit; /* true slope of the load cell; the declared one if the file gives none */
  double noise_sd;         /* of a reading, in force.unit */
  double drift_per_s;      /* of the reading, in force.unit per second */
  double zero;             /* reading at zero force */
  double quantum;          /* digit of the read-out, in force.unit */
  double latency_s;        /* rig seconds from physics to wire */
  double link_damping_Ns_per_m;
  /* True direction of the pull line: up towards the cell, and to the side. */
  double line_pitch_deg, line_yaw_deg;
} cb_rig_virtual;

typedef struct cb_rig {
  char name[64];
  char path[256];
  char *text; /* the file as read, which the store keeps as a snapshot; owned */
  cb_rig_stage stage;
  cb_rig_force force;
  cb_rig_comedi comedi; /* present exactly where force.driver is comedi */
  cb_rig_estop estop;
  cb_rig_calibration calibration;
  cb_rig_bench bench;
  cb_rig_virtual virt;
  char on_failure[256]; /* command of sh: tells somebody that a campaign broke off; "": nobody is told */
} cb_rig;

/* Reads a rig file and checks it, with the rules between keys (start within the limits, a `virtual` section
 * for virtual ports, ...). The caller frees *rig with cb_rig_clear, also after a failure.
 * Errors: those of cb_yaml_load and cb_yaml_bind; CB_E_PARSE or CB_E_RANGE for a broken rule, with
 * file:line. */
CB_CHECKED cb_status cb_rig_load(const char *path, cb_rig *rig, cb_err *err);
/* Does the same from a text, such as the snapshot that the store keeps with every run. `name` stands for the
 * path in errors. text is copied. */
CB_CHECKED cb_status cb_rig_parse(const char *text, const char *name, cb_rig *rig, cb_err *err);
/* Frees the text and the templates. All other members stay. */
void cb_rig_clear(cb_rig *rig);

/* Ground-truth friction force [N] at an angle (0 = warp) and load [N], without run-to-run scatter: kinetic at
 * speed v > 0, and static. 0 where the load is not > 0. The body's directions are not included. */
double cb_rig_truth_kinetic(const cb_rig_truth *t, double angle_rad, double normal_force_N,
                            double speed_m_per_s);
double cb_rig_truth_static(const cb_rig_truth *t, double angle_rad, double normal_force_N);

#endif
