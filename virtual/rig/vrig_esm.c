#include "vrig_esm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cb_num.h"
#include "vrig_force.h"

#define MAX_DECIMALS 6
#define FASTEST_M_PER_S 18.3e-3 /* 1100 mm/min, of an ESM303, unless the rig file wants more */

/* As Mark-10 writes units. */
static const char *gauge_unit(const char *unit) {
  static const char *const names[] = {"N", "mN", "kN", "lbF", "ozF", "gF", "kgF"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcasecmp(names[i], unit) == 0) return names[i];
  return unit;
}

static void power_up(void *device, const cb_rig *rig, vrig_stage *stage) {
  const cb_rig_stage *r = &rig->stage;
  vrig_esm *e = device;
  *e = (vrig_esm){.stage = stage,
                  .unit = gauge_unit(rig->force.unit),
                  .decimals = (int)fmin(MAX_DECIMALS, vrig_force_decimals(rig->virt.quantum)),
                  .upper_m = r->limit_max_m,
                  .lower_m = r->limit_min_m,
                  .programmed = r->max_speed_m_per_s,
                  .m_per_s = r->max_speed_m_per_s,
                  .fastest = fmax(FASTEST_M_PER_S, r->max_speed_m_per_s),
                  .m_per_s2 = r->acceleration_m_per_s2,
                  .mode = 'M'};
}

static double travel_m(const vrig_esm *e, double t) {
  double x, v;
  vrig_stage_at(e->stage, t, &x, &v);
  return x - e->zero_m;
}

/* ---- motion ---- */

static void start_move(vrig_esm *e, double t, int direction) {
  double end = direction > 0 ? e->stage->max_m : e->stage->min_m;
  double limit = e->zero_m + (direction > 0 ? e->upper_m : e->lower_m), x = travel_m(e, t) + e->zero_m;
  if (e->dead) return;
  if (e->mode == 'L') end = direction > 0 ? fmin(end, limit) : fmax(end, limit);
  if ((end - x) * direction <= 0) return; /* it is there, or past it */
  e->direction = direction;
  e->at_switch = false;
  vrig_stage_move(e->stage, t, end, e->m_per_s, e->m_per_s2);
}

/* ---- answers ---- */

static size_t say_mm(char *reply, double m) {
  return (size_t)snprintf(reply, VRIG_DEVICE_REPLY_MAX, "%.2f mm\r\n", round(m * 1e5) / 100 + 0.0);
}

static size_t say_status(const vrig_esm *e, double t, char *reply) {
  double x = travel_m(e, t);
  const char *way = !vrig_stage_moving(e->stage, t) ? "S" : e->direction > 0 ? "U" : "D", *end = "";
  if (e->mode == 'L' && fabs(x - e->upper_m) < 5e-6) end = "UL";
  if (e->mode == 'L' && fabs(x - e->lower_m) < 5e-6) end = "DL";
  if (e->at_switch) end = e->direction > 0 ? "UL" : "DL";
  return (size_t)snprintf(reply, VRIG_DEVICE_REPLY_MAX, "%s%c%s\r\n", way, e->mode, end);
}

static size_t say_reading(const vrig_esm *e, double t, char *reply) {
  int n = snprintf(reply, VRIG_DEVICE_REPLY_MAX, "%.*f %s\r\n", e->decimals, e->force + 0.0, e->unit);
  return (size_t)n + (size_t)snprintf(reply + n, VRIG_DEVICE_REPLY_MAX - (size_t)n, "%.2f mm\r\n",
                                      round(travel_m(e, t) * 1e5) / 100 + 0.0);
}

/* ---- commands ---- */

/* "-007.52", "0200.3": exactly as the guide wants it, or it is ignored. */
static void take_number(vrig_esm *e) {
  double value;
  if (cb_parse_double(e->number, "number", &value, NULL) != CB_OK) return;
  if (e->command == 'e') e->programmed = fmin(value / 60e3, e->fastest);
  if (e->command == 'h') e->upper_m = value * 1e-3;
  if (e->command == 'g') e->lower_m = value * 1e-3;
}

/* A byte of a number; the number is complete after its fixed width. */
static void take_digit(vrig_esm *e, char byte) {
  e->number[e->n++] = byte;
  e->number[e->n] = '\0';
  size_t width = 6 + (e->number[0] == '-');
  if (e->n < width) return;
  take_number(e);
  e->command = 0;
}

static void obey(vrig_esm *e, double t, char byte) {
  bool acts = byte == 'u' || byte == 'd';
  if (acts && e->reject_next) {
    e->reject_next = false;
    return;
  }
  switch (byte) {
    case 'u': start_move(e, t, 1); break;
    case 'd': start_move(e, t, -1); break;
    case 's': vrig_stage_stop(e->stage, t, e->m_per_s2); break;
    case 'o': e->m_per_s = e->programmed; break;
    case 'j': e->m_per_s = e->fastest; break;
    case 'k': e->m_per_s = 0.5e-3 / 60; break;
    case 'l': e->mode = 'L'; break;
    case 'm': e->mode = 'M'; break;
    case 'z': e->zero_m += travel_m(e, t); break;
    case 'e':
    case 'g':
    case 'h':
    case '/':
      e->command = byte;
      e->n = 0;
      break;
    default: break;
  }
}

static size_t take_byte(void *device, double t, char byte, char *reply) {
  vrig_esm *e = device;
  if (e->command == '/') {
    if (byte == '\\') e->command = 0;
    return 0;
  }
  if (e->command && (byte == '-' || byte == '.' || (byte >= '0' && byte <= '9'))) {
    take_digit(e, byte);
    return 0;
  }
  e->command = 0;
  switch (byte) {
    case 'n': return say_reading(e, t, reply);
    case 'p': return say_status(e, t, reply);
    case 'x': return say_mm(reply, travel_m(e, t));
    case 'v': return say_mm(reply, e->upper_m);
    case 'w': return say_mm(reply, e->lower_m);
    case 'a': return (size_t)snprintf(reply, VRIG_DEVICE_REPLY_MAX, "%.1f mm/min\r\n", e->programmed * 60e3);
    default: obey(e, t, byte); return 0;
  }
}

static void reading(void *device, double value) { ((vrig_esm *)device)->force = value; }

static size_t fault(void *device, double t, vrig_stage_fault what, char *reply) {
  vrig_esm *e = device;
  (void)reply;
  if (what == VRIG_STAGE_REJECT) {
    e->reject_next = true;
    return 0;
  }
  vrig_stage_halt(e->stage, t);
  e->at_switch = what == VRIG_STAGE_ALARM;
  e->dead = what == VRIG_STAGE_ESTOP;
  return 0;
}

const vrig_device vrig_esm_device = {
    .size = sizeof(vrig_esm),
    .force = true,
    .power_up = power_up,
    .byte = take_byte,
    .reading = reading,
    .fault = fault,
};
