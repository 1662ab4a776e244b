#include "vrig_apt.h"

#include <math.h>
#include <string.h>

/* What 1 mm/s and 1 mm/s2 of a stage of 34304 counts per mm are: 767367.49 and 261.93 (Thorlabs' document).
 */
#define SPEED_PER_COUNT (767367.49 / 34304)
#define ACCELERATION_PER_COUNT (261.93 / 34304)
#define MOST_UNACKNOWLEDGED 50

static int32_t in_counts(double value_m, double count_m, double factor) {
  return (int32_t)nearbyint(value_m / count_m * factor);
}

static void power_up(void *device, const cb_rig *rig, vrig_stage *stage) {
  const cb_rig_stage *r = &rig->stage;
  vrig_apt *c = device;
  double v;
  *c = (vrig_apt){.stage = stage, .count_m = r->microstep_m};
  vrig_stage_at(stage, 0, &c->zero_m, &v);
  /* its own rounding and the host's differ by a unit */
  c->most_speed = c->speed = in_counts(r->max_speed_m_per_s, c->count_m, SPEED_PER_COUNT) + 1;
  c->most_acceleration = c->acceleration =
      in_counts(r->acceleration_m_per_s2, c->count_m, ACCELERATION_PER_COUNT) + 1;
}

static int32_t position(const vrig_apt *c, double t) {
  double x, v;
  vrig_stage_at(c->stage, t, &x, &v);
  return (int32_t)nearbyint((x - c->zero_m) / c->count_m);
}

static unsigned status_bits(const vrig_apt *c, double t) {
  double x, v;
  vrig_stage_at(c->stage, t, &x, &v);
  const bool moves = vrig_stage_moving(c->stage, t);
  return (moves && v > 0 ? 0x10u : 0) | (moves && v <= 0 ? 0x20u : 0) | 0x100u | (c->homing ? 0x200u : 0) |
         (c->homed ? 0x400u : 0) | (c->stuck ? 0x4000u : 0) | (c->enabled ? 0x80000000u : 0);
}

/* ---- what it says ---- */

static size_t put_head(char *out, int id, size_t packet, int first) {
  const int byte[6] = {id & 0xFF, id >> 8, packet ? (int)packet : first, 0, packet ? 0x81 : 0x01, 0x50};
  for (int i = 0; i < 6; i++) out[i] = (char)byte[i];
  return 6;
}

static size_t put_number(char *out, size_t at, uint32_t v) {
  for (int i = 0; i < 4; i++) out[at + (size_t)i] = (char)(v >> (8 * i) & 0xFF);
  return at + 4;
}

static size_t say_state(const vrig_apt *c, double t, int id, char *out) {
  size_t n = put_head(out, id, 14, 0);
  out[n++] = 1;
  out[n++] = 0;
  n = put_number(out, n, (uint32_t)position(c, t));
  n = put_number(out, n, 0); /* speed; reserved */
  return put_number(out, n, status_bits(c, t));
}

static size_t say_speed(const vrig_apt *c, char *out) {
  size_t n = put_head(out, 0x0415, 14, 0);
  out[n++] = 1;
  out[n++] = 0;
  n = put_number(out, n, 0);
  n = put_number(out, n, (uint32_t)c->acceleration);
  return put_number(out, n, (uint32_t)c->speed);
}

static size_t say_info(char *out) {
  size_t n = put_head(out, 0x0006, 84, 0);
  memset(out + n, 0, 84);
  n = put_number(out, n, 27000001);
  memcpy(out + n, "KDC101", 6);
  out[n + 10] = 3;
  out[n + 11] = 2;
  out[n + 12] = 1;
  return 6 + 84;
}

/* ---- what it does ---- */

static void go_to(vrig_apt *c, double t, double x_m) {
  vrig_stage_move(c->stage, t, fmin(fmax(x_m, c->stage->min_m), c->stage->max_m),
                  c->speed * c->count_m / SPEED_PER_COUNT,
                  c->acceleration * c->count_m / ACCELERATION_PER_COUNT);
  c->underway = true;
}

static void home(vrig_apt *c, double t) {
  c->homing = true;
  c->homed = c->stuck = false;
  go_to(c, t, 0);
  c->stage->homes = true;
}

static void move_to(vrig_apt *c, double t, int32_t target) {
  const double x_m = c->zero_m + target * c->count_m;
  if (!c->homed || x_m < c->stage->min_m - 1e-6 || x_m > c->stage->max_m + 1e-6) return;
  c->stuck = false;
  go_to(c, t, x_m);
}

static void stop(vrig_apt *c, double t, int mode) {
  c->stops = c->underway;
  c->homing = false;
  if (mode == 2)
    vrig_stage_stop(c->stage, t, c->acceleration * c->count_m / ACCELERATION_PER_COUNT);
  else
    vrig_stage_halt(c->stage, t);
}

static void set_speed(vrig_apt *c, int32_t acceleration, int32_t speed) {
  if (acceleration > 0 && acceleration <= c->most_acceleration) c->acceleration = acceleration;
  if (speed > 0 && speed <= c->most_speed) c->speed = speed;
}

/* ---- what it hears ---- */

static int32_t number(const unsigned char *p) {
  return (int32_t)((uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0]);
}

static bool refuses(vrig_apt *c) {
  const bool refused = c->reject_next || c->dead || !c->enabled;
  c->reject_next = false;
  return refused;
}

static size_t obey(vrig_apt *c, double t, char *reply) {
  const unsigned char *m = c->message;
  switch (m[0] | m[1] << 8) {
    case 0x0005: return say_info(reply);
    case 0x0210: c->enabled = m[3] == 1; break;
    case 0x0413: set_speed(c, number(m + 12), number(m + 16)); break;
    case 0x0414: return say_speed(c, reply);
    case 0x0443:
      if (!refuses(c)) home(c, t);
      break;
    case 0x0453:
      if (!refuses(c)) move_to(c, t, number(m + 8));
      break;
    case 0x0465: stop(c, t, m[3]); break;
    case 0x0490:
      if (c->unacknowledged++ < MOST_UNACKNOWLEDGED) return say_state(c, t, 0x0491, reply);
      break;
    case 0x0492: c->unacknowledged = 0; break;
    default: break;
  }
  return 0;
}

static size_t take_byte(void *device, double t, char byte, char *reply) {
  vrig_apt *c = device;
  c->message[c->n++] = (unsigned char)byte;
  if (c->n < 6) return 0;
  const size_t packet = c->message[4] & 0x80 ? c->message[2] | (size_t)c->message[3] << 8 : 0;
  if (6 + packet > sizeof c->message) c->n = 0; /* nothing that it knows is so long */
  if (c->n < 6 + packet) return 0;
  c->n = 0;
  return obey(c, t, reply);
}

/* The end of a motion is told unasked. */
static size_t tick(void *device, double t, char *reply) {
  vrig_apt *c = device;
  if (!c->underway || vrig_stage_moving(c->stage, t)) return 0;
  c->underway = false;
  if (c->stops) {
    c->stops = false;
    return say_state(c, t, 0x0466, reply);
  }
  if (!c->homing) return say_state(c, t, 0x0464, reply);
  c->homing = false;
  c->homed = true;
  c->zero_m = 0;
  return put_head(reply, 0x0444, 0, 1);
}

static size_t fault(void *device, double t, vrig_stage_fault what, char *reply) {
  vrig_apt *c = device;
  if (what == VRIG_STAGE_REJECT) {
    c->reject_next = true;
    return 0;
  }
  vrig_stage_halt(c->stage, t);
  c->underway = c->homing = false;
  c->stuck = true;
  c->dead = what == VRIG_STAGE_ESTOP;
  return what == VRIG_STAGE_ALARM ? put_head(reply, 0x0080, 0, 0) : 0;
}

const vrig_device vrig_apt_device = {
    .size = sizeof(vrig_apt),
    .binary = true,
    .power_up = power_up,
    .byte = take_byte,
    .tick = tick,
    .fault = fault,
};
