#include "vrig_zaber.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"

#define SPEED_SCALE 1.6384
#define ACCEL_SCALE (1.6384 / 10000)
#define MAX_WORDS 8

static const char OK[] = ""; /* a handler's answer: OK, or the reason of a rejection */

static const char *const stored_names[VRIG_ZABER_N_STORED] = {"maxspeed",  "accel",         "limit.min",
                                                              "limit.max", "comm.checksum", "comm.alert"};
/* What a host may ask to know what it talks to. */
static const struct {
  const char *name, *value;
} identity[] = {{"system.serial", "10001"}, {"version", "7.28"}, {"device.id", "50000"}};

typedef struct message {
  int device, axis, id; /* id: -1 if there was none */
  const char *word[MAX_WORDS];
  size_t n;
} message;

void vrig_zaber_init(vrig_zaber *z, const cb_rig_stage *rig, vrig_stage *stage) {
  double v, microstep = rig->microstep_m;
  *z = (vrig_zaber){.stage = stage, .address = rig->device_address, .microstep_m = microstep};
  vrig_stage_at(stage, 0, &z->zero_m, &v);
  double speed = rig->max_speed_m_per_s / microstep * SPEED_SCALE,
         accel = rig->acceleration_m_per_s2 / microstep * ACCEL_SCALE;
  long long *s = z->setting, *most = z->setting_max;
  most[VRIG_ZABER_MAXSPEED] = llround(ceil(speed));
  most[VRIG_ZABER_ACCEL] = llround(ceil(accel));
  most[VRIG_ZABER_LIMIT_MIN] = most[VRIG_ZABER_LIMIT_MAX] = INT32_MAX;
  most[VRIG_ZABER_CHECKSUM] = most[VRIG_ZABER_ALERT] = 1;
  s[VRIG_ZABER_MAXSPEED] = llround(fmax(speed, 1));
  s[VRIG_ZABER_ACCEL] = llround(fmax(accel, 1));
  s[VRIG_ZABER_LIMIT_MIN] = llround(ceil(rig->limit_min_m / microstep));
  s[VRIG_ZABER_LIMIT_MAX] = llround(floor(rig->limit_max_m / microstep));
  s[VRIG_ZABER_CHECKSUM] = rig->checksum;
}

/* ---- state ---- */

/* Homing ends when the stage has arrived; nobody looks before the next command. */
static void settle_motion(vrig_zaber *z, double t) {
  if (!z->homing || vrig_stage_moving(z->stage, t)) return;
  z->homing = false;
  z->homed = z->referenced = true;
  z->zero_m = 0;
}

static long long position(const vrig_zaber *z, double t) {
  double x, v;
  vrig_stage_at(z->stage, t, &x, &v);
  return llround((x - z->zero_m) / z->microstep_m);
}

#define MAX_FLAGS 3

/* Active flags, most urgent first; returns how many. */
static int flags(const vrig_zaber *z, const char *out[MAX_FLAGS]) {
  int n = 0;
  if (z->fault[0]) out[n++] = z->fault;
  if (!z->homed) out[n++] = z->referenced ? "WH" : "WR";
  if (z->interrupted) out[n++] = "NI";
  return n;
}

/* ---- commands: each returns OK or the reason of the rejection, and may write its data ---- */

static void go_to(vrig_zaber *z, double t, double target_m) {
  z->interrupted = vrig_stage_moving(z->stage, t);
  z->homing = false;
  vrig_stage_move(z->stage, t, target_m,
                  (double)z->setting[VRIG_ZABER_MAXSPEED] / SPEED_SCALE * z->microstep_m,
                  (double)z->setting[VRIG_ZABER_ACCEL] / ACCEL_SCALE * z->microstep_m);
}

static const char *home(vrig_zaber *z, double t) {
  go_to(z, t, fmin(fmax(0, z->stage->min_m), z->stage->max_m));
  z->stage->homes = true;
  z->homing = true;
  return OK;
}

static const char *stop(vrig_zaber *z, double t, bool at_once) {
  if (vrig_stage_moving(z->stage, t)) {
    z->interrupted = true;
    z->homing = false;
  }
  if (at_once)
    vrig_stage_halt(z->stage, t);
  else
    vrig_stage_stop(z->stage, t, (double)z->setting[VRIG_ZABER_ACCEL] / ACCEL_SCALE * z->microstep_m);
  return OK;
}

static const char *move_to(vrig_zaber *z, double t, long long target) {
  if (!z->referenced || target < z->setting[VRIG_ZABER_LIMIT_MIN] ||
      target > z->setting[VRIG_ZABER_LIMIT_MAX])
    return "BADDATA";
  double x = (double)target * z->microstep_m + z->zero_m;
  if (x < z->stage->min_m || x > z->stage->max_m)
    return "BADDATA"; /* `set pos` can shift the limits beyond the track */
  go_to(z, t, x);
  return OK;
}

static const char *number(const message *m, size_t word, long long *out) {
  if (m->n != word + 1 || cb_parse_int(m->word[word], "data", out, NULL) != CB_OK) return "BADDATA";
  return *out < -INT32_MAX || *out > INT32_MAX ? "BADDATA" : OK;
}

static const char *move_axis(vrig_zaber *z, double t, const message *m) {
  if (m->n < 2) return "BADCOMMAND";
  const char *how = m->word[1];
  long long data = 0;
  if (strcmp(how, "min") == 0) return m->n == 2 ? move_to(z, t, z->setting[VRIG_ZABER_LIMIT_MIN]) : "BADDATA";
  if (strcmp(how, "max") == 0) return m->n == 2 ? move_to(z, t, z->setting[VRIG_ZABER_LIMIT_MAX]) : "BADDATA";
  bool relative = strcmp(how, "rel") == 0;
  if (!relative && strcmp(how, "abs") != 0) return "BADCOMMAND";
  const char *reason = number(m, 2, &data);
  return reason != OK ? reason : move_to(z, t, relative ? position(z, t) + data : data);
}

static int stored_index(const char *name) {
  for (int i = 0; i < VRIG_ZABER_N_STORED; i++)
    if (strcmp(name, stored_names[i]) == 0) return i;
  return -1;
}

static const char *get_setting(const vrig_zaber *z, double t, const message *m, char *data, size_t size) {
  if (m->n != 2) return "BADCOMMAND";
  int i = stored_index(m->word[1]);
  if (i >= 0 || strcmp(m->word[1], "pos") == 0) {
    (void)snprintf(data, size, "%lld", i >= 0 ? z->setting[i] : position(z, t));
    return OK;
  }
  for (size_t k = 0; k < sizeof identity / sizeof identity[0]; k++) {
    if (strcmp(m->word[1], identity[k].name) != 0) continue;
    (void)snprintf(data, size, "%s", identity[k].value);
    return OK;
  }
  return "BADCOMMAND";
}

static const char *set_position(vrig_zaber *z, double t, long long value) {
  double x, v;
  if (vrig_stage_moving(z->stage, t)) return "STATUSBUSY";
  vrig_stage_at(z->stage, t, &x, &v);
  z->zero_m = x - (double)value * z->microstep_m;
  z->referenced = true;
  z->homed = false;
  return OK;
}

static const char *set_setting(vrig_zaber *z, double t, const message *m) {
  long long value = 0;
  int i = m->n < 2 ? -1 : stored_index(m->word[1]);
  bool is_position = m->n >= 2 && strcmp(m->word[1], "pos") == 0;
  if (i < 0 && !is_position) return "BADCOMMAND";
  if (number(m, 2, &value) != OK) return "BADDATA";
  if (is_position) return set_position(z, t, value);
  long long least = i == VRIG_ZABER_MAXSPEED || i == VRIG_ZABER_ACCEL   ? 1
                    : i == VRIG_ZABER_CHECKSUM || i == VRIG_ZABER_ALERT ? 0
                                                                        : -INT32_MAX;
  if (value < least || value > z->setting_max[i]) return "BADDATA";
  if (i == VRIG_ZABER_LIMIT_MIN && value > z->setting[VRIG_ZABER_LIMIT_MAX]) return "BADDATA";
  if (i == VRIG_ZABER_LIMIT_MAX && value < z->setting[VRIG_ZABER_LIMIT_MIN]) return "BADDATA";
  z->setting[i] = value;
  return OK;
}

static const char *warnings(vrig_zaber *z, const message *m, char *data, size_t size) {
  const char *active[MAX_FLAGS];
  bool clear = m->n == 2 && strcmp(m->word[1], "clear") == 0;
  if (m->n > 1 && !clear) return "BADCOMMAND";
  int n = flags(z, active);
  int used = snprintf(data, size, "%02d", n);
  for (int i = 0; i < n; i++) used += snprintf(data + used, size - (size_t)used, " %s", active[i]);
  if (clear) {
    z->interrupted = false;
    if (strcmp(z->fault, "FH") != 0) z->fault[0] = '\0';
  }
  return OK;
}

static const char *obey(vrig_zaber *z, double t, const message *m, char *data, size_t size) {
  if (m->axis > 1) return "BADAXIS";
  if (m->n == 0) return OK;
  const char *verb = m->word[0];
  bool moves = strcmp(verb, "move") == 0 || strcmp(verb, "home") == 0;
  if (moves && z->fault[0]) return "DRIVERDISABLED";
  if (z->reject_next && (moves || strcmp(verb, "set") == 0)) {
    z->reject_next = false;
    return "AGAIN";
  }
  if (strcmp(verb, "home") == 0 && m->n == 1) return home(z, t);
  if (strcmp(verb, "stop") == 0 && m->n == 1) return stop(z, t, false);
  if (strcmp(verb, "estop") == 0 && m->n == 1) return stop(z, t, true);
  if (strcmp(verb, "move") == 0) return move_axis(z, t, m);
  if (strcmp(verb, "get") == 0) return get_setting(z, t, m, data, size);
  if (strcmp(verb, "set") == 0) return set_setting(z, t, m);
  if (strcmp(verb, "warnings") == 0) return warnings(z, m, data, size);
  return "BADCOMMAND";
}

/* ---- frames ---- */

/* Longitudinal redundancy check: with it the bytes sum to 0 mod 256. */
static unsigned checksum(const char *text, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) sum += (unsigned char)text[i];
  return (0u - sum) & 0xFFu;
}

/* Cuts ":CC" off; false if it is wrong. */
static bool checksum_holds(char *line) {
  char *colon = strrchr(line, ':');
  if (!colon) return true;
  if (strlen(colon) != 3 || !isxdigit((unsigned char)colon[1]) || !isxdigit((unsigned char)colon[2]))
    return false;
  bool holds = strtoul(colon + 1, NULL, 16) == checksum(line, (size_t)(colon - line));
  *colon = '\0';
  return holds;
}

static bool is_number(const char *word) { return word[strspn(word, "0123456789")] == '\0'; }

/* False: not a command (an address, axis or id beyond two digits, or more words than any command has). */
static bool parse(char *line, message *m) {
  int *head[] = {&m->device, &m->axis, &m->id};
  char *rest = NULL;
  size_t n_head = 0;
  *m = (message){.id = -1};
  for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    if (m->n == 0 && n_head < 3 && is_number(word)) {
      if (strlen(word) > 2) return false;
      *head[n_head++] = atoi(word);
    } else if (m->n < MAX_WORDS) {
      m->word[m->n++] = word;
    } else {
      return false;
    }
  }
  return true;
}

/* Ends a reply or an alert of n bytes. */
static size_t finish_reply(const vrig_zaber *z, char *reply, int n) {
  size_t left = VRIG_ZABER_REPLY_MAX - (size_t)n;
  if (z->setting[VRIG_ZABER_CHECKSUM])
    return (size_t)n + (size_t)snprintf(reply + n, left, ":%02X\r\n", checksum(reply + 1, (size_t)n - 1));
  return (size_t)n + (size_t)snprintf(reply + n, left, "\r\n");
}

static size_t answer(vrig_zaber *z, double t, char *line, char *reply) {
  message m;
  char data[48] = "0", id[8] = "";
  const char *active[MAX_FLAGS];
  if (!checksum_holds(line) || !parse(line, &m) || (m.device != 0 && m.device != z->address)) return 0;
  settle_motion(z, t);
  const char *reason = obey(z, t, &m, data, sizeof data);
  if (m.id >= 0) (void)snprintf(id, sizeof id, " %02d", m.id);
  int n_flags = flags(z, active);
  int n = snprintf(reply, VRIG_ZABER_REPLY_MAX, "@%02d %d%s %s %s %s %s", z->address, m.axis, id,
                   reason == OK ? "OK" : "RJ", vrig_stage_moving(z->stage, t) ? "BUSY" : "IDLE",
                   n_flags > 0 ? active[0] : "--", reason == OK ? data : reason);
  return finish_reply(z, reply, n);
}

static size_t alert(const vrig_zaber *z, char *reply) {
  const char *active[MAX_FLAGS];
  if (!z->setting[VRIG_ZABER_ALERT]) return 0;
  int n = snprintf(reply, VRIG_ZABER_REPLY_MAX, "!%02d 1 IDLE %s", z->address,
                   flags(z, active) > 0 ? active[0] : "--");
  return finish_reply(z, reply, n);
}

/* Writes an alert, if one is due. Returns its length, else 0. */
static size_t alert_if_due(vrig_zaber *z, double t_s, char reply[VRIG_ZABER_REPLY_MAX]) {
  bool moves = vrig_stage_moving(z->stage, t_s), ended = z->moved && !moves;
  z->moved = moves;
  if (!ended) return 0;
  settle_motion(z, t_s);
  return alert(z, reply);
}

/* Ends the motion with this F flag, and writes an alert if alerts are on. Returns its length, else 0. */
static size_t add_fault(vrig_zaber *z, double t_s, const char *flag, char reply[VRIG_ZABER_REPLY_MAX]) {
  vrig_stage_halt(z->stage, t_s);
  z->homing = z->moved = false;
  (void)snprintf(z->fault, sizeof z->fault, "%s", flag);
  return alert(z, reply);
}

size_t vrig_zaber_byte(vrig_zaber *z, double t_s, char byte, char reply[VRIG_ZABER_REPLY_MAX]) {
  if (byte == '/') {
    z->listening = true;
    z->n = 0;
    return 0;
  }
  if (!z->listening) return 0;
  if (byte == '\r' || byte == '\n') {
    z->listening = false;
    z->line[z->n] = '\0';
    return answer(z, t_s, z->line, reply);
  }
  if (z->n == VRIG_ZABER_COMMAND_MAX || byte == '\0')
    z->listening = false;
  else
    z->line[z->n++] = byte;
  return 0;
}

/* ---- as a device of the virtual rig ---- */

static void power_up(void *device, const cb_rig *rig, vrig_stage *stage) {
  vrig_zaber_init(device, &rig->stage, stage);
}

static size_t device_byte(void *device, double t_s, char byte, char *reply) {
  return vrig_zaber_byte(device, t_s, byte, reply);
}

static size_t device_tick(void *device, double t_s, char *reply) { return alert_if_due(device, t_s, reply); }

static size_t device_fault(void *device, double t_s, vrig_stage_fault fault, char *reply) {
  static const char *const flag[] = {
      [VRIG_STAGE_STALL] = "FS", [VRIG_STAGE_ALARM] = "FE", [VRIG_STAGE_ESTOP] = "FH"};
  vrig_zaber *z = device;
  if (fault != VRIG_STAGE_REJECT) return add_fault(z, t_s, flag[fault], reply);
  z->reject_next = true;
  return 0;
}

const vrig_device vrig_zaber_device = {
    .size = sizeof(vrig_zaber),
    .power_up = power_up,
    .byte = device_byte,
    .tick = device_tick,
    .fault = device_fault,
};
