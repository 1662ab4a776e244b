#include "vrig_gcs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"

enum {
  SYNTAX = 1,
  UNKNOWN_COMMAND = 2,
  NO_REFERENCE_OR_SERVO = 5,
  OUT_OF_LIMITS = 7,
  VELOCITY_OUT_OF_LIMITS = 8,
  STOPPED = 10,
  NO_SUCH_AXIS = 15,
  MOTION_ERROR = -1024
};
/* bits of the status register */
enum { ON_TARGET = 0x8000, REFERENCING = 0x4000, IN_MOTION = 0x2000, SERVO_ON = 0x1000, ERROR_FLAG = 0x0100 };
enum { POSITIVE_SIDE = 0x0002 };

static const char *const setting_names[VRIG_GCS_N_SETTINGS] = {"VEL", "ACC", "DEC"};

static void power_up(void *device, const cb_rig *rig, vrig_stage *stage) {
  const cb_rig_stage *r = &rig->stage;
  vrig_gcs *c = device;
  double v;
  *c = (vrig_gcs){.stage = stage, .middle_m = 0.5 * (r->limit_min_m + r->limit_max_m)};
  vrig_stage_at(stage, 0, &c->zero_m, &v);
  const double value[] = {r->max_speed_m_per_s, r->acceleration_m_per_s2, r->acceleration_m_per_s2};
  for (int i = 0; i < VRIG_GCS_N_SETTINGS; i++) c->setting[i] = c->most[i] = value[i] * 1e3;
}

static double position_mm(const vrig_gcs *c, double t) {
  double x, v;
  vrig_stage_at(c->stage, t, &x, &v);
  return (x - c->zero_m) * 1e3;
}

/* Nobody looks before the next byte. */
static void settle_motion(vrig_gcs *c, double t) {
  if (!c->referencing || vrig_stage_moving(c->stage, t)) return;
  c->referencing = false;
  c->referenced = true;
  c->zero_m = 0;
}

static unsigned status_bits(const vrig_gcs *c, double t) {
  const bool moves = vrig_stage_moving(c->stage, t);
  double x, v;
  vrig_stage_at(c->stage, t, &x, &v);
  return (moves || !c->servo ? 0 : ON_TARGET) | (c->referencing ? REFERENCING : 0) | (moves ? IN_MOTION : 0) |
         (c->servo ? SERVO_ON : 0) | (c->error ? ERROR_FLAG : 0) | (x > c->middle_m ? POSITIVE_SIDE : 0);
}

/* ---- commands ---- */

static void stop(vrig_gcs *c, double t, bool smoothly) {
  c->referencing = false;
  if (smoothly)
    vrig_stage_stop(c->stage, t, c->setting[VRIG_GCS_DEC] * 1e-3);
  else
    vrig_stage_halt(c->stage, t);
  c->error = STOPPED;
}

static void go_to(vrig_gcs *c, double t, double x_m) {
  vrig_stage_move(c->stage, t, fmin(fmax(x_m, c->stage->min_m), c->stage->max_m),
                  c->setting[VRIG_GCS_VEL] * 1e-3, c->setting[VRIG_GCS_ACC] * 1e-3);
}

static int reference(vrig_gcs *c, double t) {
  if (!c->servo) return NO_REFERENCE_OR_SERVO;
  c->referenced = false;
  c->referencing = true;
  go_to(c, t, c->middle_m);
  c->stage->homes = true;
  return 0;
}

static int move_to(vrig_gcs *c, double t, double mm) {
  const double x_m = c->zero_m + mm * 1e-3;
  if (!c->servo || !c->referenced) return NO_REFERENCE_OR_SERVO;
  if (x_m < c->stage->min_m - 1e-9 || x_m > c->stage->max_m + 1e-9) return OUT_OF_LIMITS;
  go_to(c, t, x_m);
  return 0;
}

static int set_servo(vrig_gcs *c, double t, double on) {
  if (on != 0 && on != 1) return SYNTAX;
  if (on == 1 && c->dead) return NO_REFERENCE_OR_SERVO;
  if (on == 0) vrig_stage_halt(c->stage, t);
  c->servo = on == 1;
  return 0;
}

/* What wants an axis and a value. The error. */
static int obey_value(vrig_gcs *c, double t, const char *name, double value) {
  const bool moves = strcmp(name, "MOV") == 0;
  if (moves && c->reject_next) {
    c->reject_next = false;
    return OUT_OF_LIMITS;
  }
  if (moves) return move_to(c, t, value);
  if (strcmp(name, "SVO") == 0) return set_servo(c, t, value);
  for (int i = 0; i < VRIG_GCS_N_SETTINGS; i++) {
    if (strcmp(name, setting_names[i]) != 0) continue;
    if (!(value > 0) || value > c->most[i] * (1 + 1e-9)) return VELOCITY_OUT_OF_LIMITS;
    c->setting[i] = value;
    return 0;
  }
  return UNKNOWN_COMMAND;
}

static int obey(vrig_gcs *c, double t, const char *name, const char *axis, const char *text) {
  double value;
  if (strcmp(name, "STP") == 0 || strcmp(name, "HLT") == 0) {
    stop(c, t, name[0] == 'H');
    return STOPPED;
  }
  if (axis[0] && strcmp(axis, "1") != 0) return NO_SUCH_AXIS;
  if (strcmp(name, "FRF") == 0) return reference(c, t);
  if (!text[0]) return UNKNOWN_COMMAND;
  if (cb_parse_double(text, "value", &value, NULL) != CB_OK) return SYNTAX;
  return obey_value(c, t, name, value);
}

/* ---- questions ---- */

static int answer_axis(vrig_gcs *c, double t, const char *name, char *out, size_t size) {
  const bool rests = !vrig_stage_moving(c->stage, t);
  if (strcmp(name, "POS?") == 0) return snprintf(out, size, "1=%.7f\n", position_mm(c, t) + 0.0);
  if (strcmp(name, "MOV?") == 0) return snprintf(out, size, "1=%.7f\n", (c->stage->end_m - c->zero_m) * 1e3);
  if (strcmp(name, "ONT?") == 0) return snprintf(out, size, "1=%d\n", rests && c->servo);
  if (strcmp(name, "FRF?") == 0) return snprintf(out, size, "1=%d\n", c->referenced);
  if (strcmp(name, "SVO?") == 0) return snprintf(out, size, "1=%d\n", c->servo);
  for (int i = 0; i < VRIG_GCS_N_SETTINGS; i++)
    if (strncmp(name, setting_names[i], 3) == 0) return snprintf(out, size, "1=%.7f\n", c->setting[i]);
  c->error = UNKNOWN_COMMAND;
  return 0;
}

static int answer(vrig_gcs *c, double t, const char *name, const char *axis, char *out, size_t size) {
  const int error = c->error;
  if (strcmp(name, "*IDN?") == 0)
    return snprintf(out, size, "(c)2021 Physik Instrumente (PI) GmbH & Co. KG, C-863.12, V20001, 1.2.1\n");
  if (strcmp(name, "ERR?") == 0) {
    c->error = 0;
    return snprintf(out, size, "%d\n", error);
  }
  if (axis[0] && strcmp(axis, "1") != 0) {
    c->error = NO_SUCH_AXIS;
    return 0;
  }
  return answer_axis(c, t, name, out, size);
}

static size_t take_line(vrig_gcs *c, double t, char *reply) {
  char name[8] = "", axis[17] = "", text[32] = "";
  if (sscanf(c->line, "%7s %16s %31s", name, axis, text) < 1) return 0;
  if (strchr(name, '?')) return (size_t)answer(c, t, name, axis, reply, VRIG_DEVICE_REPLY_MAX);
  const int error = obey(c, t, name, axis, text);
  if (error) c->error = error;
  return 0;
}

static size_t take_byte(void *device, double t, char byte, char *reply) {
  vrig_gcs *c = device;
  settle_motion(c, t);
  switch (byte) {
    case 4: return (size_t)snprintf(reply, VRIG_DEVICE_REPLY_MAX, "0x%04X\n", status_bits(c, t));
    case 5: return (size_t)snprintf(reply, VRIG_DEVICE_REPLY_MAX, "%d\n", vrig_stage_moving(c->stage, t));
    case 24: stop(c, t, false); return 0;
    case '\n': break;
    default:
      if (byte >= ' ' && c->n < sizeof c->line - 1) c->line[c->n++] = byte;
      return 0;
  }
  c->line[c->n] = '\0';
  c->n = 0;
  return take_line(c, t, reply);
}

static size_t fault(void *device, double t, vrig_stage_fault what, char *reply) {
  vrig_gcs *c = device;
  (void)reply;
  if (what == VRIG_STAGE_REJECT) {
    c->reject_next = true;
    return 0;
  }
  settle_motion(c, t);
  vrig_stage_halt(c->stage, t);
  c->servo = c->referencing = false;
  c->dead = what == VRIG_STAGE_ESTOP;
  c->error = MOTION_ERROR;
  return 0;
}

const vrig_device vrig_gcs_device = {
    .size = sizeof(vrig_gcs),
    .power_up = power_up,
    .byte = take_byte,
    .fault = fault,
};
