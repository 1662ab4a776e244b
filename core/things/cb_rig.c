#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rig_impl.h"

const char *const cb_stage_driver_names[] = {"zaber-ascii", "grbl",    "mark10-esm",   "smc100",
                                             "lines",       "process", "thorlabs-apt", NULL};
const char *const cb_force_driver_names[] = {"line",   "futek-d500", "mark10-gcl", "mt-sics", "mark10-esm",
                                             "comedi", "modbus-rtu", "scpi",       "process", NULL};
static const char *const modbus_types[] = {"float", "float-swapped", "int16",
                                           "int32", "int32-swapped", NULL}; /* cb_modbus_type */
const char *const cb_parity_names[] = {"none", "even", "odd", NULL};
static const char *const motor_names[] = {"servo", "stepper", NULL}; /* cb_motor */
static const char *const quantity_names[] = {"force", "displacement", "excitation", "temperature", NULL};
static const char *const aref_names[] = {"ground", "common", "diff", "other", NULL};
static const char *const modem_line_names[] = {"cts", "dsr", "dcd", "ri", NULL};

/* Table rows: key, kind, where, bounds in the key's unit, factor to SI. */
#define NUM(S, key_, member_, min_, max_, scale_)                                                 \
  {                                                                                               \
    .key = key_, .kind = CB_Y_NUM, .offset = offsetof(S, member_), .required = true, .min = min_, \
    .max = max_, .scale = scale_                                                                  \
  }
#define OPT(S, key_, member_, min_, max_, scale_) \
  { .key = key_, .kind = CB_Y_NUM, .offset = offsetof(S, member_), .min = min_, .max = max_, .scale = scale_ }
#define INT(S, key_, member_, min_, max_) \
  { .key = key_, .kind = CB_Y_INT, .offset = offsetof(S, member_), .min = min_, .max = max_ }
#define STR(S, key_, member_, required_)                                                              \
  {                                                                                                   \
    .key = key_, .kind = CB_Y_STR, .offset = offsetof(S, member_), .size = sizeof(((S *)0)->member_), \
    .required = required_                                                                             \
  }
#define ENUM(S, key_, member_, choices_) \
  { .key = key_, .kind = CB_Y_ENUM, .offset = offsetof(S, member_), .required = true, .choices = choices_ }
#define NODE(S, key_, member_, required_) \
  { .key = key_, .kind = CB_Y_NODE, .offset = offsetof(S, member_), .required = required_ }
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

typedef struct comedi_section {
  cb_rig_comedi c;
  cb_ynode channels;
} comedi_section;

static const cb_yfield stage_fields[] = {
    ENUM(cb_rig_stage, "driver", driver, cb_stage_driver_names),
    STR(cb_rig_stage, "port", port, true),
    INT(cb_rig_stage, "baud", baud, 300, 4000000),
    INT(cb_rig_stage, "device_address", device_address, 1, 99),
    STR(cb_rig_stage, "axis", axis, false),
    {"motor", CB_Y_ENUM, offsetof(cb_rig_stage, motor), .choices = motor_names},
    STR(cb_rig_stage, "serial", serial, false),
    NUM(cb_rig_stage, "microstep_um", microstep_m, 1e-4, 1000, 1e-6),
    NUM(cb_rig_stage, "limit_min_mm", limit_min_m, -1e4, 1e4, 1e-3),
    NUM(cb_rig_stage, "limit_max_mm", limit_max_m, -1e4, 1e4, 1e-3),
    NUM(cb_rig_stage, "max_speed_mm_per_s", max_speed_m_per_s, 1e-3, 1e4, 1e-3),
    NUM(cb_rig_stage, "acceleration_mm_per_s2", acceleration_m_per_s2, 1e-3, 1e6, 1e-3),
    NUM(cb_rig_stage, "start_mm", start_m, -1e4, 1e4, 1e-3),
    OPT(cb_rig_stage, "max_force_N", max_force_N, 1e-3, 1e6, 1),
    {"checksum", CB_Y_BOOL, offsetof(cb_rig_stage, checksum)},
    OPT(cb_rig_stage, "reply_timeout_s", reply_timeout_s, 0.01, 60, 1),
    STR(cb_rig_stage, "stop_command", stop_command, false),
};

static const cb_yfield force_fields[] = {
    ENUM(cb_rig_force, "driver", driver, cb_force_driver_names),
    STR(cb_rig_force, "port", port, true),
    INT(cb_rig_force, "baud", baud, 300, 4000000),
    STR(cb_rig_force, "serial", serial, false),
    STR(cb_rig_force, "cell", cell, false),
    STR(cb_rig_force, "unit", unit, true),
    NUM(cb_rig_force, "rate_Hz", rate_Hz, 0.1, 1e6, 1),
    NUM(cb_rig_force, "overload_N", overload_N, 1e-3, 1e5, 1),
    OPT(cb_rig_force, "capacity_N", capacity_N, 1e-3, 1e6, 1),
    OPT(cb_rig_force, "overload_N_per_s", overload_N_per_s, 1e-3, 1e9, 1),
    OPT(cb_rig_force, "start_timeout_s", start_timeout_s, 0.01, 60, 1),
    OPT(cb_rig_force, "silence_timeout_s", silence_timeout_s, 0.01, 60, 1),
    INT(cb_rig_force, "field", field, 0, 63),
    STR(cb_rig_force, "separator", separator, false),
    STR(cb_rig_force, "terminator", terminator, false),
    OPT(cb_rig_force, "scale", scale, -1e9, 1e9, 1),
    STR(cb_rig_force, "start", start, false),
    STR(cb_rig_force, "stop", stop, false),
    STR(cb_rig_force, "request", request, false),
};

static const cb_yfield modbus_fields[] = {
    INT(cb_rig_modbus, "address", address, 1, 247),
    INT(cb_rig_modbus, "function", function, 3, 4),
    {"register", CB_Y_INT, offsetof(cb_rig_modbus, register_), .required = true, .min = 0, .max = 65535},
    ENUM(cb_rig_modbus, "type", type, modbus_types),
    {"parity", CB_Y_ENUM, offsetof(cb_rig_modbus, parity), .choices = cb_parity_names},
    INT(cb_rig_modbus, "decimals", decimals, 0, 9),
    INT(cb_rig_modbus, "decimals_register", decimals_register, 0, 65535),
};

static const cb_yfield comedi_fields[] = {
    INT(comedi_section, "subdevice", c.subdevice, 0, 255),
    OPT(comedi_section, "buffer_s", c.buffer_s, 0.01, 60, 1),
    {"polled", CB_Y_BOOL, offsetof(comedi_section, c.polled)},
    {"calibration", CB_Y_STR, offsetof(comedi_section, c.calibration),
     sizeof(((cb_rig_comedi *)0)->calibration)},
    NODE(comedi_section, "channels", channels, true),
};

static const cb_yfield channel_fields[] = {
    ENUM(cb_comedi_channel, "quantity", quantity, quantity_names),
    {"channel", CB_Y_INT, offsetof(cb_comedi_channel, channel), .required = true, .min = 0, .max = 1023},
    INT(cb_comedi_channel, "range", range, 0, 255),
    {"aref", CB_Y_ENUM, offsetof(cb_comedi_channel, aref), .choices = aref_names},
    OPT(cb_comedi_channel, "scale", scale, -1e9, 1e9, 1),
    OPT(cb_comedi_channel, "offset", offset, -1e9, 1e9, 1),
};

static const cb_yfield estop_fields[] = {
    STR(cb_rig_estop, "port", port, true),
    ENUM(cb_rig_estop, "line", line, modem_line_names),
    {"stop_if_set", CB_Y_BOOL, offsetof(cb_rig_estop, stop_if_set)},
};

static const cb_yfield calibration_fields[] = {
    NUM(cb_rig_calibration, "slope_N_per_unit", slope_N_per_unit, -1e9, 1e9, 1),
    NUM(cb_rig_calibration, "u_rel", u_rel, 0, 1, 1),
    NUM(cb_rig_calibration, "resolution", resolution, 0, 1e6, 1),
    STR(cb_rig_calibration, "certificate", certificate, false),
    STR(cb_rig_calibration, "valid_from", valid_from, false),
    OPT(cb_rig_calibration, "valid_days", valid_days, 1, 1e5, 1),
};

static const cb_yfield bench_fields[] = {
    NUM(cb_rig_bench, "cart_mass_g", cart_mass_kg, 0.01, 5e4, 1e-3),
    NUM(cb_rig_bench, "u_mass_g", u_mass_kg, 0, 1e3, 1e-3),
    NUM(cb_rig_bench, "contact_area_cm2", contact_area_m2, 1e-3, 1e5, 1e-4),
    NUM(cb_rig_bench, "link_stiffness_N_per_m", link_stiffness_N_per_m, 1, 1e8, 1),
    NUM(cb_rig_bench, "link_slack_mm", link_slack_m, 1e-3, 100, 1e-3),
    OPT(cb_rig_bench, "link_damping_Ns_per_m", link_damping_Ns_per_m, 1e-6, 1e6, 1),
    OPT(cb_rig_bench, "gravity_m_per_s2", gravity_m_per_s2, 9.7, 9.9, 1),
    NUM(cb_rig_bench, "u_angle_deg", u_angle_deg, 0, 90, 1),
    OPT(cb_rig_bench, "u_line_pitch_deg", u_line_pitch_deg, 0.001, 10, 1),
    OPT(cb_rig_bench, "u_line_yaw_deg", u_line_yaw_deg, 0.001, 10, 1),
    STR(cb_rig_bench, "air", air, false),
};

static const char *const body_rules[] = {"plain", "mean", "product", NULL};          /* cb_rig_body */
static const char *const load_laws[] = {"power", "hertz", "langmuir", "kink", NULL}; /* cb_rig_load_law */
static const cb_yfield truth_fields[] = {
    NUM(cb_rig_truth, "c00", c00, 1e-6, 1e4, 1),
    NUM(cb_rig_truth, "c01", c01, -1e4, 1e4, 1),
    NUM(cb_rig_truth, "c11", c11, 1e-6, 1e4, 1),
    OPT(cb_rig_truth, "n00", n00, 0.05, 3, 1),
    OPT(cb_rig_truth, "n01", n01, 0.05, 3, 1),
    OPT(cb_rig_truth, "n11", n11, 0.05, 3, 1),
    NUM(cb_rig_truth, "static_excess", static_excess, 0, 10, 1),
    OPT(cb_rig_truth, "stribeck_excess", stribeck_excess, 0, 10, 1),
    OPT(cb_rig_truth, "stribeck_speed_mm_per_s", stribeck_speed_m_per_s, 1e-6, 1e4, 1e-3),
    OPT(cb_rig_truth, "log_velocity", log_velocity, -1, 1, 1),
    OPT(cb_rig_truth, "reference_speed_mm_per_s", reference_speed_m_per_s, 1e-6, 1e4, 1e-3),
    {"body_rule", CB_Y_ENUM, offsetof(cb_rig_truth, body_rule), .choices = body_rules},
    OPT(cb_rig_truth, "body_cos2", body_cos2, -1, 1, 1),
    OPT(cb_rig_truth, "body_sin2", body_sin2, -1, 1, 1),
    OPT(cb_rig_truth, "repeat_sd_rel", repeat_sd_rel, 0, 1, 1),
    OPT(cb_rig_truth, "cos4", cos4, -1, 1, 1),
    OPT(cb_rig_truth, "sin4", sin4, -1, 1, 1),
    OPT(cb_rig_truth, "backward_excess", backward_excess, -0.9, 10, 1),
    {"load_law", CB_Y_ENUM, offsetof(cb_rig_truth, load_law), .choices = load_laws},
    OPT(cb_rig_truth, "adhesion_N", adhesion_N, 0, 1e4, 1),
    OPT(cb_rig_truth, "saturation_N", saturation_N, 1e-6, 1e6, 1),
    OPT(cb_rig_truth, "kink_N", kink_N, 1e-6, 1e6, 1),
    OPT(cb_rig_truth, "kink_exponent_change", kink_exponent_change, -3, 3, 1),
    OPT(cb_rig_truth, "dwell_log", dwell_log, 0, 1, 1),
    OPT(cb_rig_truth, "dwell_reference_s", dwell_reference_s, 1e-6, 1e6, 1),
    OPT(cb_rig_truth, "wear_per_run", wear_per_run, -0.5, 0.5, 1),
    OPT(cb_rig_truth, "humidity_drift_per_h", humidity_drift_per_h, -10, 10, 1),
    OPT(cb_rig_truth, "memory", memory, -0.9, 10, 1),
    OPT(cb_rig_truth, "memory_way_mm", memory_way_m, 1e-3, 1e6, 1e-3),
};

static const char *const virtual_devices[] = {"pi-gcs", "zaber-ascii", NULL}; /* cb_virtual_device */

typedef struct virtual_section {
  cb_rig_virtual v;
  int seed;
  cb_ynode truth;
} virtual_section;

static const cb_yfield virtual_fields[] = {
    INT(virtual_section, "seed", seed, 0, 2147483647),
    {"device", CB_Y_ENUM, offsetof(virtual_section, v.device), .choices = virtual_devices},
    OPT(virtual_section, "time_scale", v.time_scale, 0.01, 1000, 1),
    OPT(virtual_section, "slope_N_per_unit", v.slope_N_per_unit, -1e9, 1e9, 1),
    OPT(virtual_section, "noise_sd", v.noise_sd, 0, 1e6, 1),
    OPT(virtual_section, "drift_per_s", v.drift_per_s, -1e6, 1e6, 1),
    OPT(virtual_section, "zero", v.zero, -1e6, 1e6, 1),
    NUM(virtual_section, "quantum", v.quantum, 1e-9, 1e6, 1),
    OPT(virtual_section, "latency_ms", v.latency_s, 0, 1e4, 1e-3),
    OPT(virtual_section, "link_damping_Ns_per_m", v.link_damping_Ns_per_m, 0, 1e6, 1),
    OPT(virtual_section, "line_pitch_deg", v.line_pitch_deg, -10, 10, 1),
    OPT(virtual_section, "line_yaw_deg", v.line_yaw_deg, -10, 10, 1),
    NODE(virtual_section, "truth", truth, true),
};

typedef struct sections {
  char name[64], tell[256];
  cb_ynode stage, lines, force, modbus, comedi, estop, calibration, bench, virt;
} sections;

static const cb_yfield rig_fields[] = {
    STR(sections, "name", name, true),       STR(sections, "on_failure", tell, false),
    NODE(sections, "lines", lines, false),   NODE(sections, "force", force, true),
    NODE(sections, "comedi", comedi, false), NODE(sections, "estop", estop, false),
    NODE(sections, "bench", bench, true),    NODE(sections, "calibration", calibration, false),
    NODE(sections, "virtual", virt, false),  NODE(sections, "modbus", modbus, false),
    NODE(sections, "stage", stage, true),
};

static void set_defaults(cb_rig *rig) {
  rig->stage.baud = 115200;
  rig->stage.device_address = 1;
  rig->stage.axis[0] = 'X';
  rig->stage.reply_timeout_s = 0.5;
  rig->force.baud = 115200;
  rig->force.start_timeout_s = 6;
  rig->force.silence_timeout_s = 1;
  rig->force.scale = 1;
  rig->force.separator[0] = ',';
  rig->bench.gravity_m_per_s2 = CB_STANDARD_GRAVITY_M_PER_S2;
}

/* A key that this law needs is missing, or one of another law is there. */
static cb_status check_load_key(cb_ynode at, const cb_rig_truth *t, const char *key, int law, cb_err *err) {
  bool said = cb_yaml_get(at, key).doc != NULL, needed = law == t->load_law;
  if (said && !needed)
    return cb_yaml_fail(at, err, CB_E_PARSE, "%s: belongs to load_law: %s, this is '%s'", key, load_laws[law],
                        load_laws[t->load_law]);
  if (needed && !said && law != CB_RIG_LOAD_HERTZ)
    return cb_yaml_fail(at, err, CB_E_PARSE, "the key '%s' is missing: load_law: %s needs it", key,
                        load_laws[law]);
  return CB_OK;
}

/* Hertz has an exponent of its own. */
static cb_status check_exponents(cb_ynode at, const cb_rig_truth *t, cb_err *err) {
  static const char *const keys[] = {"n00", "n01", "n11"};
  for (size_t i = 0; i < COUNT(keys); i++) {
    bool said = cb_yaml_get(at, keys[i]).doc != NULL, hertz = t->load_law == CB_RIG_LOAD_HERTZ;
    if (said && hertz)
      return cb_yaml_fail(at, err, CB_E_PARSE, "%s: load_law: hertz has the exponent 2/3, none is wanted",
                          keys[i]);
    if (!said && !hertz) return cb_yaml_fail(at, err, CB_E_PARSE, "the key '%s' is missing", keys[i]);
  }
  return CB_OK;
}

static cb_status check_load_law(cb_ynode at, const cb_rig_truth *t, cb_err *err) {
  CB_TRY(check_exponents(at, t, err));
  CB_TRY(check_load_key(at, t, "adhesion_N", CB_RIG_LOAD_HERTZ, err));
  CB_TRY(check_load_key(at, t, "saturation_N", CB_RIG_LOAD_LANGMUIR, err));
  CB_TRY(check_load_key(at, t, "kink_N", CB_RIG_LOAD_KINK, err));
  return check_load_key(at, t, "kink_exponent_change", CB_RIG_LOAD_KINK, err);
}

static cb_status check_directions(cb_ynode at, const cb_rig_truth *t, cb_err *err) {
  if (t->c01 * t->c01 >= t->c00 * t->c11)
    return cb_yaml_fail(
        at, err, CB_E_RANGE,
        "c01 = %g: c01^2 must be < c00 c11 = %g, or friction would be negative in some direction", t->c01,
        t->c00 * t->c11);
  if (hypot(t->cos4, t->sin4) >= 1)
    return cb_yaml_fail(
        at, err, CB_E_RANGE,
        "cos4 = %g, sin4 = %g: together below 1, or friction would be negative in some direction", t->cos4,
        t->sin4);
  if (hypot(t->body_cos2, t->body_sin2) >= 1)
    return cb_yaml_fail(
        at, err, CB_E_RANGE,
        "body_cos2 = %g, body_sin2 = %g: together below 1, or friction would be negative in some direction",
        t->body_cos2, t->body_sin2);
  if (t->body_rule == CB_RIG_BODY_PLAIN && (t->body_cos2 != 0 || t->body_sin2 != 0))
    return cb_yaml_fail(at, err, CB_E_PARSE,
                        "body_rule: mean or product is wanted beside body_cos2 and body_sin2");
  return CB_OK;
}

static cb_status bind_virtual(cb_ynode at, cb_rig_virtual *out, cb_err *err) {
  virtual_section s = {.v = {.present = true, .time_scale = 1, .device = -1}, .seed = 1};
  s.v.truth.stribeck_speed_m_per_s = 1e-3;
  s.v.truth.reference_speed_m_per_s = 10e-3;
  s.v.truth.dwell_reference_s = 1;
  s.v.truth.memory_way_m = 10e-3;
  CB_TRY(cb_yaml_bind(at, virtual_fields, COUNT(virtual_fields), &s, err));
  CB_TRY(cb_yaml_bind(s.truth, truth_fields, COUNT(truth_fields), &s.v.truth, err));
  CB_TRY(check_load_law(s.truth, &s.v.truth, err));
  CB_TRY(check_directions(s.truth, &s.v.truth, err));
  s.v.seed = s.seed;
  *out = s.v;
  return CB_OK;
}

static cb_status bind_channel(cb_ynode at, cb_rig_comedi *out, cb_err *err) {
  cb_comedi_channel c = {.aref = CB_AREF_DIFF, .scale = 1};
  CB_TRY(cb_yaml_bind(at, channel_fields, COUNT(channel_fields), &c, err));
  if (c.scale == 0) return cb_yaml_fail(at, err, CB_E_RANGE, "scale = 0: every value would be the same");
  for (size_t i = 0; i < out->n; i++)
    if (out->channel[i].quantity == c.quantity)
      return cb_yaml_fail(at, err, CB_E_PARSE, "quantity: '%s' is measured twice",
                          quantity_names[c.quantity]);
  out->channel[out->n++] = c;
  return CB_OK;
}

static cb_status bind_comedi(cb_ynode at, cb_rig_comedi *out, cb_err *err) {
  comedi_section s = {.c = {.present = true, .subdevice = -1, .buffer_s = 1}};
  bool force = false;
  CB_TRY(cb_yaml_bind(at, comedi_fields, COUNT(comedi_fields), &s, err));
  if (!cb_yaml_is_list(s.channels)) return cb_yaml_fail(at, err, CB_E_PARSE, "channels: a list was wanted");
  if (cb_yaml_count(s.channels) > CB_COMEDI_CHANNELS_MAX)
    return cb_yaml_fail(s.channels, err, CB_E_RANGE, "channels: at most %d are possible",
                        CB_COMEDI_CHANNELS_MAX);
  for (size_t i = 0; i < cb_yaml_count(s.channels); i++)
    CB_TRY(bind_channel(cb_yaml_item(s.channels, i), &s.c, err));
  for (size_t i = 0; i < s.c.n; i++) force = force || s.c.channel[i].quantity == CB_COMEDI_FORCE;
  if (!force) return cb_yaml_fail(s.channels, err, CB_E_PARSE, "channels: none of them is 'force'");
  *out = s.c;
  return CB_OK;
}

static cb_status bind_modbus(cb_ynode at, cb_rig_modbus *out, cb_err *err) {
  *out = (cb_rig_modbus){.present = true, .address = 1, .function = 3, .decimals_register = -1};
  CB_TRY(cb_yaml_bind(at, modbus_fields, COUNT(modbus_fields), out, err));
  if (out->decimals_register >= 0 && cb_yaml_get(at, "decimals").doc)
    return cb_yaml_fail(at, err, CB_E_PARSE, "decimals, decimals_register: one of them was wanted");
  return CB_OK;
}

static cb_status bind_estop(cb_ynode at, cb_rig_estop *out, cb_err *err) {
  out->present = true;
  return cb_yaml_bind(at, estop_fields, COUNT(estop_fields), out, err);
}

static cb_status bind_calibration(cb_ynode at, cb_rig_calibration *out, cb_err *err) {
  out->present = true;
  CB_TRY(cb_yaml_bind(at, calibration_fields, COUNT(calibration_fields), out, err));
  if (out->slope_N_per_unit == 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "slope_N_per_unit = 0: every force would be zero");
  return CB_OK;
}

/* Rules that no single key can say. */
static cb_status check_stage(const cb_rig *rig, cb_ynode at, cb_err *err) {
  const cb_rig_stage *s = &rig->stage;
  if (!(s->limit_min_m < s->limit_max_m))
    return cb_yaml_fail(at, err, CB_E_RANGE, "limit_min_mm = %g: must be below limit_max_mm = %g",
                        s->limit_min_m * 1e3, s->limit_max_m * 1e3);
  if (s->start_m < s->limit_min_m || s->start_m > s->limit_max_m)
    return cb_yaml_fail(at, err, CB_E_RANGE, "start_mm = %g: must lie within the limits %g to %g",
                        s->start_m * 1e3, s->limit_min_m * 1e3, s->limit_max_m * 1e3);
  if (!s->axis[0] || !strchr("XYZ", s->axis[0]))
    return cb_yaml_fail(at, err, CB_E_PARSE, "axis = '%s': X, Y or Z was wanted", s->axis);
  return CB_OK;
}

static bool is_terminator(const char *t) {
  bool printable = t[0] > ' ' && t[0] <= '~' && !t[1];
  return !t[0] || printable || strcmp(t, "cr") == 0 || strcmp(t, "lf") == 0 || strcmp(t, "crlf") == 0;
}

static cb_status check_force(const cb_rig *rig, cb_ynode at, cb_err *err) {
  if (!is_terminator(rig->force.terminator))
    return cb_yaml_fail(at, err, CB_E_PARSE,
                        "terminator = '%s': cr, lf, crlf or one printable character was wanted",
                        rig->force.terminator);
  if (!cb_unit_find(rig->force.unit))
    return cb_yaml_fail(at, err, CB_E_PARSE,
                        "unit = '%s': not a unit this program knows (N, mN, gf, g, lbf, mV/V, ...)",
                        rig->force.unit);
  if (rig->force.capacity_N > 0 && rig->force.overload_N > rig->force.capacity_N)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "overload_N = %g: the load cell bears capacity_N = %g: at most that was wanted",
                        rig->force.overload_N, rig->force.capacity_N);
  if (rig->force.scale == 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "scale = 0: every reading would be zero");
  return CB_OK;
}

/* Whoever knows one of the two has looked at the line. */
static cb_status check_line(const cb_rig *rig, cb_ynode at, cb_err *err) {
  double pitch = rig->bench.u_line_pitch_deg, yaw = rig->bench.u_line_yaw_deg;
  if ((pitch > 0) == (yaw > 0)) return CB_OK;
  return cb_yaml_fail(at, err, CB_E_PARSE, "u_line_pitch_deg, u_line_yaw_deg: both or neither must be said");
}

/* The virtual board streams what the virtual bench has: the link's force and the cart's way. */
static cb_status check_virtual_board(const cb_rig *rig, const sections *s, cb_err *err) {
  if (rig->comedi.polled)
    return cb_yaml_fail(s->comedi, err, CB_E_PARSE, "polled = true: the board of a virtual rig streams");
  for (size_t i = 0; i < rig->comedi.n; i++) {
    int quantity = rig->comedi.channel[i].quantity;
    if (quantity != CB_COMEDI_FORCE && quantity != CB_COMEDI_DISPLACEMENT)
      return cb_yaml_fail(s->comedi, err, CB_E_PARSE,
                          "quantity = '%s': a virtual rig has only force and displacement",
                          quantity_names[quantity]);
  }
  return CB_OK;
}

/* What is sent, and to whom. */
static cb_status check_questions(const cb_rig *rig, const sections *s, cb_err *err) {
  const cb_rig_force *f = &rig->force;
  bool modbus = f->driver == CB_FORCE_MODBUS_RTU, asks = modbus || f->request[0];
  if ((f->start[0] || f->stop[0] || f->request[0]) && f->driver != CB_FORCE_LINE &&
      f->driver != CB_FORCE_SCPI)
    return cb_yaml_fail(s->force, err, CB_E_PARSE,
                        "start, stop, request: belong to force.driver = 'line' and 'scpi', this is '%s'",
                        cb_force_driver_names[f->driver]);
  if (asks && f->rate_Hz > CB_ASKED_MOST_HZ)
    return cb_yaml_fail(s->force, err, CB_E_RANGE,
                        "rate_Hz = %g: a read-out that is asked for every reading is asked at most %g times "
                        "per second",
                        f->rate_Hz, CB_ASKED_MOST_HZ);
  if (modbus == f->modbus.present) return CB_OK;
  return cb_yaml_fail(modbus ? s->force : s->modbus, err, CB_E_PARSE,
                      "modbus: the section and force.driver = 'modbus-rtu' belong together");
}

static cb_status check_comedi(const cb_rig *rig, const sections *s, cb_err *err) {
  bool comedi = rig->force.driver == CB_FORCE_COMEDI;
  if (comedi && !rig->comedi.present)
    return cb_yaml_fail(s->force, err, CB_E_PARSE,
                        "driver = 'comedi' needs a section 'comedi' that says which channels to read");
  if (!comedi && rig->comedi.present)
    return cb_yaml_fail(s->comedi, err, CB_E_PARSE,
                        "comedi: the section belongs to force.driver = 'comedi', this is '%s'",
                        cb_force_driver_names[rig->force.driver]);
  bool played = comedi && strcmp(rig->force.port, "virtual") == 0;
  return played ? check_virtual_board(rig, s, err) : CB_OK;
}

static cb_status check_ports(const cb_rig *rig, const sections *s, cb_err *err) {
  bool stage_virtual = strcmp(rig->stage.port, "virtual") == 0,
       force_virtual = strcmp(rig->force.port, "virtual") == 0;
  if (stage_virtual != force_virtual)
    return cb_yaml_fail(s->force, err, CB_E_PARSE,
                        "port = '%s' but the stage's is '%s': both are virtual or none", rig->force.port,
                        rig->stage.port);
  if (stage_virtual && !rig->virt.present)
    return cb_yaml_fail(s->stage, err, CB_E_PARSE,
                        "port = 'virtual' needs a section 'virtual' that says what the virtual rig is");
  bool one_instrument = rig->force.driver == CB_FORCE_MARK10_ESM;
  if (one_instrument && rig->stage.driver != CB_STAGE_MARK10_ESM)
    return cb_yaml_fail(s->force, err, CB_E_PARSE,
                        "driver = 'mark10-esm': the stage's driver must be 'mark10-esm' too");
  if (one_instrument && strcmp(rig->stage.port, rig->force.port) != 0)
    return cb_yaml_fail(s->force, err, CB_E_PARSE,
                        "port = '%s': with 'mark10-esm' it must be the stage's, '%s'", rig->force.port,
                        rig->stage.port);
  if (!stage_virtual && !one_instrument && strcmp(rig->stage.port, rig->force.port) == 0)
    return cb_yaml_fail(s->force, err, CB_E_PARSE, "port = '%s' is the stage's port already",
                        rig->force.port);
  return CB_OK;
}

/* A virtual load cell has a slope, whether anybody knows it or not. */
static cb_status set_true_slope(cb_rig *rig, cb_ynode at, cb_err *err) {
  if (rig->virt.slope_N_per_unit == 0) rig->virt.slope_N_per_unit = rig->calibration.slope_N_per_unit;
  if (rig->virt.slope_N_per_unit != 0) return CB_OK;
  return cb_yaml_fail(at, err, CB_E_PARSE,
                      "slope_N_per_unit: is needed where no section 'calibration' declares one");
}

/* What a stage of a program's own is told and answers: docs/reference/processes.md. */
static const char process_lines[] =
    "lines: {device: a stage in a process of its own, line_end: lf, ask_period_s: 0.01, stop: stop,\n"
    " identity: {ask: hello, reply: 'stage {*}'},\n"
    " accept: {reply: 'command {code}', rules: [ok = good, refused = refused]},\n"
    " state: {ask: state, reply: 'state {code}', rules: [still = idle, moving = busy, unhomed = unhomed]},\n"
    " position: {ask: position, reply: 'position {position}'},\n"
    " home: [home], move: ['move {position} {speed}']}";

/* A driver whose templates are part of this program. */
static cb_status bind_own(const char *text, const char *name, cb_rig *rig, cb_err *err) {
  cb_yaml *doc;
  rig->stage.lines = calloc(1, sizeof *rig->stage.lines);
  if (!rig->stage.lines) return cb_no_memory(err, "%s", rig->path);
  CB_TRY(cb_yaml_parse(text, strlen(text), name, &doc, err));
  const cb_status st = cb_rig_lines_bind(cb_yaml_get(cb_yaml_root(doc), "lines"), rig->stage.lines, err);
  cb_yaml_free(doc);
  return st;
}

/* Who is stopped by a program must be stopped without it as well. A process is no virtual device. */
static cb_status bind_process(const sections *s, cb_rig *rig, cb_err *err) {
  const bool stage = rig->stage.driver == CB_STAGE_PROCESS, force = rig->force.driver == CB_FORCE_PROCESS;
  if ((stage || force) && rig->virt.present)
    return cb_yaml_fail(s->virt, err, CB_E_PARSE, "virtual: the driver 'process' has no virtual device");
  if (stage != (rig->stage.stop_command[0] != '\0'))
    return cb_yaml_fail(s->stage, err, CB_E_PARSE,
                        "stop_command: it belongs to driver = 'process', which must have one");
  return stage ? bind_own(process_lines, "process", rig, err) : CB_OK;
}

/* The templates and the driver that reads them come together. */
static cb_status bind_lines(const sections *s, cb_rig *rig, cb_err *err) {
  const bool wanted = rig->stage.driver == CB_STAGE_LINES;
  if (wanted && !s->lines.doc)
    return cb_yaml_fail(
        s->stage, err, CB_E_PARSE,
        "driver = 'lines' needs a section 'lines' that says what the stage is told and answers");
  if (!wanted && s->lines.doc)
    return cb_yaml_fail(s->lines, err, CB_E_PARSE,
                        "lines: the section belongs to stage.driver = 'lines', this is '%s'",
                        cb_stage_driver_names[rig->stage.driver]);
  if (rig->stage.driver == CB_STAGE_SMC100) return bind_own(cb_rig_smc100, "smc100", rig, err);
  if (!wanted) return CB_OK;
  rig->stage.lines = calloc(1, sizeof *rig->stage.lines);
  if (!rig->stage.lines) return cb_no_memory(err, "%s", rig->path);
  return cb_rig_lines_bind(s->lines, rig->stage.lines, err);
}

/* Which device a virtual stage is, where its driver fits several. */
static cb_status check_device(const cb_rig *rig, cb_ynode at, cb_err *err) {
  if (rig->stage.driver == CB_STAGE_LINES && rig->virt.device < 0)
    return cb_yaml_fail(at, err, CB_E_PARSE, "the key 'device' is missing: pi-gcs or zaber-ascii was wanted");
  if (rig->stage.driver == CB_STAGE_LINES || rig->virt.device < 0) return CB_OK;
  return cb_yaml_fail(at, err, CB_E_PARSE, "device: belongs to stage.driver = 'lines', this is '%s'",
                      cb_stage_driver_names[rig->stage.driver]);
}

static cb_status bind_rig(cb_ynode root, cb_rig *rig, cb_err *err) {
  sections s = {0};
  CB_TRY(cb_yaml_bind(root, rig_fields, COUNT(rig_fields), &s, err));
  memcpy(rig->name, s.name, sizeof rig->name);
  memcpy(rig->on_failure, s.tell, sizeof rig->on_failure);
  CB_TRY(cb_yaml_bind(s.stage, stage_fields, COUNT(stage_fields), &rig->stage, err));
  CB_TRY(cb_yaml_bind(s.force, force_fields, COUNT(force_fields), &rig->force, err));
  if (rig->force.driver == CB_FORCE_SCPI && !rig->force.request[0]) (void)strcpy(rig->force.request, "READ?");
  if (s.modbus.doc) CB_TRY(bind_modbus(s.modbus, &rig->force.modbus, err));
  if (s.comedi.doc) CB_TRY(bind_comedi(s.comedi, &rig->comedi, err));
  if (s.estop.doc) CB_TRY(bind_estop(s.estop, &rig->estop, err));
  if (s.calibration.doc) CB_TRY(bind_calibration(s.calibration, &rig->calibration, err));
  CB_TRY(cb_yaml_bind(s.bench, bench_fields, COUNT(bench_fields), &rig->bench, err));
  if (s.virt.doc) CB_TRY(bind_virtual(s.virt, &rig->virt, err));
  if (s.virt.doc) CB_TRY(set_true_slope(rig, s.virt, err));
  if (s.virt.doc) CB_TRY(check_device(rig, s.virt, err));
  CB_TRY(bind_lines(&s, rig, err));
  CB_TRY(bind_process(&s, rig, err));
  CB_TRY(check_stage(rig, s.stage, err));
  CB_TRY(check_force(rig, s.force, err));
  CB_TRY(check_line(rig, s.bench, err));
  CB_TRY(check_questions(rig, &s, err));
  CB_TRY(check_comedi(rig, &s, err));
  return check_ports(rig, &s, err);
}

static cb_status read_rig(cb_yaml *doc, const char *name, cb_rig *rig, cb_err *err) {
  cb_status st = CB_OK;
  set_defaults(rig);
  (void)strncpy(rig->path, name, sizeof rig->path - 1);
  rig->text = strdup(cb_yaml_text(doc));
  if (!rig->text) CB_GOTO(cb_no_memory(err, "%s", name));
  CB_GOTO(bind_rig(cb_yaml_root(doc), rig, err));
done:
  cb_yaml_free(doc);
  return st;
}

cb_status cb_rig_load(const char *path, cb_rig *rig, cb_err *err) {
  cb_yaml *doc;
  *rig = (cb_rig){0};
  CB_TRY(cb_yaml_load(path, &doc, err));
  return read_rig(doc, path, rig, err);
}

cb_status cb_rig_parse(const char *text, const char *name, cb_rig *rig, cb_err *err) {
  cb_yaml *doc;
  *rig = (cb_rig){0};
  CB_TRY(cb_yaml_parse(text, strlen(text), name, &doc, err));
  return read_rig(doc, name, rig, err);
}

void cb_rig_clear(cb_rig *rig) {
  free(rig->text);
  free(rig->stage.lines);
  rig->text = NULL;
  rig->stage.lines = NULL;
}
