#include "vrig_smc100.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"

enum {
  UNREFERENCED = 0x0A,
  UNREFERENCED_HOMING = 0x0B,
  UNREFERENCED_MOVING = 0x0F,
  HOMING = 0x1E,
  MOVING = 0x28
};
enum { READY_HOMING = 0x32, READY_MOVING = 0x33, DISABLED_MOVING = 0x3D };
enum { END_OF_RUN = 0x0002, FOLLOWING_ERROR = 0x0020, NO_POWER = 0x0100 };

static const char *const setting_names[VRIG_SMC100_N_SETTINGS] = {"VA", "AC", "SL", "SR"};

static void power_up(void *device, const cb_rig *rig, vrig_stage *stage) {
  const cb_rig_stage *r = &rig->stage;
  vrig_smc100 *c = device;
  double v;
  *c = (vrig_smc100){.stage = stage, .address = r->device_address, .state = UNREFERENCED, .letter = '@'};
  vrig_stage_at(stage, 0, &c->zero_m, &v);
  const double value[] = {r->max_speed_m_per_s * 1e3, r->acceleration_m_per_s2 * 1e3,
                          fmin(r->limit_min_m, 0) * 1e3, fmax(r->limit_max_m, 0) * 1e3};
  for (int i = 0; i < VRIG_SMC100_N_SETTINGS; i++) {
    c->setting[i] = c->most[i] = value[i];
    c->least[i] = i == VRIG_SMC100_SL ? value[i] : i == VRIG_SMC100_SR ? 0 : 1e-6;
  }
  c->most[VRIG_SMC100_SL] = 0;
}

static double position_mm(const vrig_smc100 *c, double t) {
  double x, v;
  vrig_stage_at(c->stage, t, &x, &v);
  return (x - c->zero_m) * 1e3;
}

/* Motion ends by itself; nobody looks before the next line. */
static void settle_motion(vrig_smc100 *c, double t) {
  if (vrig_stage_moving(c->stage, t)) return;
  if (c->state == HOMING) {
    c->state = READY_HOMING;
    c->zero_m = c->stage->end_m;
  }
  if (c->state == MOVING) c->state = READY_MOVING;
}

static bool is_ready(const vrig_smc100 *c) { return c->state >= READY_HOMING && c->state <= 0x35; }

/* ---- commands: each returns the letter of its error ---- */

/* Why something is refused that wants another state. */
static char not_now(const vrig_smc100 *c) {
  if (c->state <= 0x11) return 'H';
  if (c->state == HOMING) return 'L';
  if (c->state == MOVING) return 'M';
  return is_ready(c) ? 'K' : 'J';
}

static void go_to(vrig_smc100 *c, double t, double x_m) {
  vrig_stage_move(c->stage, t, fmin(fmax(x_m, c->stage->min_m), c->stage->max_m),
                  c->setting[VRIG_SMC100_VA] * 1e-3, c->setting[VRIG_SMC100_AC] * 1e-3);
}

static char home(vrig_smc100 *c, double t) {
  if (c->state < UNREFERENCED || c->state > 0x11) return c->state == HOMING ? 'E' : not_now(c);
  c->state = HOMING;
  go_to(c, t, 0);
  c->stage->homes = true;
  return '@';
}

static char move_to(vrig_smc100 *c, double t, const char *text, double from_mm) {
  double mm;
  if (!is_ready(c)) return not_now(c);
  if (cb_parse_double(text, "target", &mm, NULL) != CB_OK) return 'C';
  mm += from_mm;
  if (mm < c->setting[VRIG_SMC100_SL] - 1e-9 || mm > c->setting[VRIG_SMC100_SR] + 1e-9) return 'G';
  c->state = MOVING;
  go_to(c, t, c->zero_m + mm * 1e-3);
  return '@';
}

static char stop(vrig_smc100 *c, double t) {
  if (c->state == HOMING) c->state = UNREFERENCED_HOMING;
  vrig_stage_stop(c->stage, t, c->setting[VRIG_SMC100_AC] * 1e-3);
  return '@';
}

static char reset_controller(vrig_smc100 *c, double t) {
  vrig_stage_halt(c->stage, t);
  c->state = UNREFERENCED;
  return '@';
}

static char set_parameter(vrig_smc100 *c, int i, const char *text) {
  double value;
  if (!is_ready(c)) return not_now(c);
  if (cb_parse_double(text, "setting", &value, NULL) != CB_OK) return 'C';
  if (value < c->least[i] - 1e-9 || value > c->most[i] * (1 + 1e-9) + 1e-9) return 'C';
  c->setting[i] = value;
  return '@';
}

static char obey(vrig_smc100 *c, double t, const char *name, const char *text) {
  bool acts = strcmp(name, "OR") == 0 || strcmp(name, "PA") == 0 || strcmp(name, "PR") == 0;
  if (acts && c->reject_next) {
    c->reject_next = false;
    return 'D';
  }
  if (strcmp(name, "OR") == 0) return home(c, t);
  if (strcmp(name, "PA") == 0) return move_to(c, t, text, 0);
  if (strcmp(name, "PR") == 0) return move_to(c, t, text, position_mm(c, t));
  if (strcmp(name, "ST") == 0) return stop(c, t);
  if (strcmp(name, "RS") == 0) return reset_controller(c, t);
  for (int i = 0; i < VRIG_SMC100_N_SETTINGS; i++)
    if (strcmp(name, setting_names[i]) == 0) return set_parameter(c, i, text);
  return 'A';
}

/* ---- questions ---- */

static int answer_setting(const vrig_smc100 *c, const char *name, char *out, size_t size) {
  if (strcmp(name, "ID") == 0) return snprintf(out, size, "%dIDVIRTUAL100CC_SN:V10001", c->address);
  for (int i = 0; i < VRIG_SMC100_N_SETTINGS; i++)
    if (strcmp(name, setting_names[i]) == 0)
      return snprintf(out, size, "%d%s%.6g", c->address, name, c->setting[i]);
  return 0;
}

/* The length of the answer, 0 if it was no question. */
static int answer(vrig_smc100 *c, double t, const char *name, const char *text, char *out, size_t size) {
  unsigned errors = c->errors | c->lasting;
  char letter = c->letter;
  if (strcmp(name, "TS") == 0) {
    c->errors = 0;
    return snprintf(out, size, "%dTS%04X%02X", c->address, errors, c->state);
  }
  if (strcmp(name, "TE") == 0) {
    c->letter = '@';
    return snprintf(out, size, "%dTE%c", c->address, letter);
  }
  if (strcmp(name, "TP") == 0) return snprintf(out, size, "%dTP%.5f", c->address, position_mm(c, t) + 0.0);
  if (strcmp(name, "VE") == 0) return snprintf(out, size, "%dVE SMC100CC V1.2", c->address);
  return strcmp(text, "?") == 0 ? answer_setting(c, name, out, size) : 0;
}

static size_t take_line(vrig_smc100 *c, double t, char *reply) {
  size_t digits = strspn(c->line, "0123456789");
  if (digits == 0 || digits > 2 || strlen(c->line) < digits + 2 || atoi(c->line) != c->address) return 0;
  char name[3] = {c->line[digits], c->line[digits + 1], '\0'};
  const char *text = c->line + digits + 2;
  settle_motion(c, t);
  int n = answer(c, t, name, text, reply, VRIG_DEVICE_REPLY_MAX - 2);
  if (n > 0) return (size_t)n + (size_t)snprintf(reply + n, 3, "\r\n");
  c->letter = obey(c, t, name, text);
  return 0;
}

static size_t take_byte(void *device, double t, char byte, char *reply) {
  vrig_smc100 *c = device;
  if (byte != '\n') {
    if (byte >= ' ' && c->n < sizeof c->line - 1) c->line[c->n++] = byte;
    return 0;
  }
  c->line[c->n] = '\0';
  c->n = 0;
  return take_line(c, t, reply);
}

static size_t fault(void *device, double t, vrig_stage_fault what, char *reply) {
  vrig_smc100 *c = device;
  (void)reply;
  if (what == VRIG_STAGE_REJECT) {
    c->reject_next = true;
    return 0;
  }
  settle_motion(c, t);
  vrig_stage_halt(c->stage, t);
  c->state = what == VRIG_STAGE_ALARM ? UNREFERENCED_MOVING : DISABLED_MOVING;
  c->errors |= what == VRIG_STAGE_ALARM ? END_OF_RUN : what == VRIG_STAGE_STALL ? FOLLOWING_ERROR : 0;
  if (what == VRIG_STAGE_ESTOP) c->lasting |= NO_POWER;
  return 0;
}

const vrig_device vrig_smc100_device = {
    .size = sizeof(vrig_smc100),
    .power_up = power_up,
    .byte = take_byte,
    .fault = fault,
};
