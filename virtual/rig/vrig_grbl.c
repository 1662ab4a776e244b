#include "vrig_grbl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"

#define PULL_OFF_M 1e-3
#define SEEK_MM_PER_MIN 1500.0
#define REPORTS_PER_OFFSET 10 /* how often a report has the work offset too */

/* A reply that grows. */
typedef struct speech {
  char *text;
  size_t n;
} speech;

static CB_PRINTF(2, 3) void say(speech *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(s->text + s->n, VRIG_DEVICE_REPLY_MAX - s->n, format, args);
  va_end(args);
  if (n > 0 && (size_t)n < VRIG_DEVICE_REPLY_MAX - s->n) s->n += (size_t)n;
}

/* ---- state ---- */

static const vrig_stage *believed(const vrig_grbl *g) { return g->stalled ? &g->counted : g->stage; }

static double position_mm(const vrig_grbl *g, double t) {
  double x, v;
  vrig_stage_at(believed(g), t, &x, &v);
  return (x - g->zero_m) * 1e3;
}

static bool moving(const vrig_grbl *g, double t) { return vrig_stage_moving(believed(g), t); }

static void go_to(vrig_grbl *g, double t, double target_m, double mm_per_min) {
  vrig_stage_move(g->stage, t, fmin(fmax(target_m, g->stage->min_m), g->stage->max_m),
                  fmin(mm_per_min, g->max_mm_per_min) / 60e3, g->accel_mm_per_s2 * 1e-3);
}

static void power_up(void *device, const cb_rig *rig, vrig_stage *stage) {
  const cb_rig_stage *r = &rig->stage;
  double v;
  vrig_grbl *g = device;
  *g = (vrig_grbl){.stage = stage,
                   .axis = r->axis[0],
                   .steps_per_mm = 1e-3 / r->microstep_m,
                   .max_mm_per_min = r->max_speed_m_per_s * 60e3,
                   .accel_mm_per_s2 = r->acceleration_m_per_s2 * 1e3,
                   .travel_mm = -r->limit_min_m * 1e3,
                   .locked = true};
  vrig_stage_at(stage, 0, &g->zero_m, &v);
}

static void welcome(const vrig_grbl *g, speech *s) {
  say(s, "\r\nGrbl 1.1f ['$' for help]\r\n");
  if (g->locked) say(s, "[MSG:'$H'|'$X' to unlock]\r\n");
}

/* Steps that were under way are lost, and with them the position. */
static void soft_reset(vrig_grbl *g, double t, speech *s) {
  if (moving(g, t) || g->homing) {
    g->locked = true;
    say(s, "ALARM:%d\r\n", g->homing ? 6 : 3);
  }
  vrig_stage_halt(g->stage, t);
  g->jogging = g->held = g->critical = g->stalled = false;
  g->homing = 0;
  g->n = 0;
  welcome(g, s);
}

static size_t opened(void *device, double t, char *reply) {
  vrig_grbl *g = device;
  speech s = {reply, 0};
  double v;
  vrig_stage_halt(g->stage, t);
  vrig_stage_at(g->stage, t, &g->zero_m, &v);
  g->locked = true;
  g->jogging = g->held = g->critical = g->stalled = false;
  g->homing = 0;
  g->n = 0;
  welcome(g, &s);
  return s.n;
}

/* ---- real-time bytes ---- */

static const char *state_name(const vrig_grbl *g) {
  if (g->door) return "Door:1";
  if (g->locked) return "Alarm";
  if (g->held) return "Hold:0";
  return g->jogging ? "Jog" : "Idle";
}

static void report_status(vrig_grbl *g, double t, speech *s) {
  double mm[3] = {0, 0, 0};
  /* Nothing is answered while it homes. */
  if (g->homing) return;
  mm[g->axis - 'X'] = round(position_mm(g, t) * g->steps_per_mm) / g->steps_per_mm + 0.0;
  say(s, "<%s|MPos:%.3f,%.3f,%.3f|FS:%d,0", state_name(g), mm[0], mm[1], mm[2], moving(g, t) ? 100 : 0);
  if (g->n_reports++ % REPORTS_PER_OFFSET == 0) say(s, "|WCO:0.000,0.000,0.000");
  say(s, ">\r\n");
}

static void brake(vrig_grbl *g, double t) { vrig_stage_stop(g->stage, t, g->accel_mm_per_s2 * 1e-3); }

static void feed_hold(vrig_grbl *g, double t) {
  if (g->jogging)
    brake(g, t); /* a jog is cancelled by it */
  else if (!g->locked && !g->homing)
    g->held = true;
}

/* True: the byte was one, and does not go into the line. */
static bool real_time(vrig_grbl *g, double t, unsigned char byte, speech *s) {
  switch (byte) {
    case '?': report_status(g, t, s); return true;
    case '!': feed_hold(g, t); return true;
    case '~': g->held = false; return true;
    case 0x18: soft_reset(g, t, s); return true;
    case 0x84:
      g->door = true;
      brake(g, t);
      return true;
    case 0x85:
      if (g->jogging) brake(g, t);
      return true;
    default: return byte >= 0x80;
  }
}

/* ---- lines: each returns 0 or the number of the error; ANSWERED_LATER where ok comes later ---- */

enum { ANSWERED_LATER = -1 };

static int list_settings(const vrig_grbl *g, speech *s) {
  static const struct {
    int number;
    const char *value;
  } fixed[] = {{0, "10"},     {1, "25"},    {2, "0"},      {3, "0"},       {4, "0"},         {5, "0"},
               {6, "0"},      {10, "1"},    {11, "0.010"}, {12, "0.002"},  {13, "0"},        {20, "1"},
               {21, "1"},     {22, "1"},    {23, "0"},     {24, "25.000"}, {25, "1500.000"}, {26, "250"},
               {27, "1.000"}, {30, "1000"}, {31, "0"},     {32, "0"}};
  const double value[] = {g->steps_per_mm, g->max_mm_per_min, g->accel_mm_per_s2, g->travel_mm};
  for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
    say(s, "$%d=%s\r\n", fixed[i].number, fixed[i].value);
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 3; axis++) say(s, "$%d=%.3f\r\n", 100 + 10 * i + axis, value[i]);
  return 0;
}

static int home(vrig_grbl *g, double t) {
  if (g->jogging || g->held) return 8;
  g->locked = false;
  g->homing = 1;
  go_to(g, t, g->stage->max_m, SEEK_MM_PER_MIN);
  g->stage->homes = true;
  return ANSWERED_LATER;
}

typedef struct jog {
  bool relative, has_target, has_feed;
  double target_mm, feed_mm_per_min;
} jog;

static int take_word(const vrig_grbl *g, char letter, double value, jog *j) {
  if (letter == 'G' && value == 91) j->relative = true;
  if (letter == 'G') return value == 53 || value == 90 || value == 91 || value == 21 ? 0 : 16;
  if (letter == 'F') {
    j->has_feed = true;
    j->feed_mm_per_min = value;
    return value > 0 ? 0 : 22;
  }
  if (letter != g->axis) return 16;
  j->has_target = true;
  j->target_mm = value;
  return 0;
}

static int take_jog(const vrig_grbl *g, const char *words, jog *j) {
  while (*words) {
    char number[16], letter = *words++;
    double value;
    size_t n = strspn(words, "+-.0123456789");
    if (n >= sizeof number) return 2;
    memcpy(number, words, n);
    number[n] = '\0';
    if (cb_parse_double(number, "word", &value, NULL) != CB_OK) return 2;
    int error = take_word(g, letter, value, j);
    if (error) return error;
    words += n;
  }
  return !j->has_target ? 16 : !j->has_feed ? 22 : 0;
}

static int start_jog(vrig_grbl *g, double t, const char *words) {
  jog j = {0};
  if (g->locked || g->held || g->door || g->homing) return 8;
  int error = take_jog(g, words, &j);
  if (error) return error;
  double target_mm = j.target_mm + (j.relative ? position_mm(g, t) : 0);
  if (target_mm < -g->travel_mm - 1e-9 || target_mm > 1e-9) return 15;
  go_to(g, t, g->zero_m + target_mm * 1e-3, j.feed_mm_per_min);
  g->jogging = moving(g, t);
  return 0;
}

static int obey(vrig_grbl *g, double t, const char *line, speech *s) {
  bool acts = strcmp(line, "$H") == 0 || strncmp(line, "$J=", 3) == 0;
  if (acts && g->reject_next) {
    g->reject_next = false;
    return 9;
  }
  if (line[0] == '\0') return 0;
  if (strcmp(line, "$$") == 0) return g->jogging ? 8 : list_settings(g, s);
  if (strcmp(line, "$H") == 0) return home(g, t);
  if (strncmp(line, "$J=", 3) == 0) return start_jog(g, t, line + 3);
  if (strcmp(line, "$I") == 0) {
    say(s, "[VER:1.1f.20170801:virtual]\r\n[OPT:V,15,128]\r\n");
    return 0;
  }
  if (strcmp(line, "$X") == 0) {
    if (g->locked) say(s, "[MSG:Caution: Unlocked]\r\n");
    g->locked = false;
    return 0;
  }
  if (line[0] == '$') return 3;
  return g->locked || g->jogging ? 9 : 20;
}

static void take_line(vrig_grbl *g, double t, speech *s) {
  g->line[g->n] = '\0';
  g->n = 0;
  int error = obey(g, t, g->line, s);
  if (error == 0) say(s, "ok\r\n");
  if (error > 0) say(s, "error:%d\r\n", error);
}

static size_t take_byte(void *device, double t, char byte, char *reply) {
  vrig_grbl *g = device;
  speech s = {reply, 0};
  if (g->critical && byte != 0x18) return 0;
  if (real_time(g, t, (unsigned char)byte, &s)) return s.n;
  if (byte == '\n') take_line(g, t, &s);
  /* Blanks are dropped as they come; what is too long is no line that it knows. */
  if (byte > ' ' && g->n < sizeof g->line - 1) g->line[g->n++] = byte;
  return s.n;
}

/* ---- on its own ---- */

static void end_homing(vrig_grbl *g, double t, speech *s) {
  if (g->homing == 1) {
    g->homing = 2;
    go_to(g, t, g->stage->max_m - PULL_OFF_M, SEEK_MM_PER_MIN);
    g->stage->homes = true;
    return;
  }
  g->homing = 0;
  g->zero_m = g->stage->max_m;
  say(s, "ok\r\n");
}

static size_t tick(void *device, double t, char *reply) {
  vrig_grbl *g = device;
  speech s = {reply, 0};
  if (moving(g, t)) return 0;
  g->jogging = false;
  if (g->stalled) {
    /* It never learns that it stands elsewhere. */
    g->zero_m -= g->counted.end_m - g->stage->end_m;
    g->stalled = false;
  }
  if (g->homing) end_homing(g, t, &s);
  return s.n;
}

static size_t fault(void *device, double t, vrig_stage_fault what, char *reply) {
  vrig_grbl *g = device;
  speech s = {reply, 0};
  switch (what) {
    case VRIG_STAGE_STALL: /* open loop: the steps are counted all the same */
      g->counted = *g->stage;
      g->stalled = true;
      vrig_stage_halt(g->stage, t);
      break;
    case VRIG_STAGE_REJECT: g->reject_next = true; break;
    case VRIG_STAGE_ALARM:
      vrig_stage_halt(g->stage, t);
      g->jogging = false;
      g->homing = 0;
      g->locked = g->critical = true;
      say(&s, "ALARM:1\r\n[MSG:Reset to continue]\r\n");
      break;
    case VRIG_STAGE_ESTOP: (void)real_time(g, t, 0x84, &s); break;
  }
  return s.n;
}

const vrig_device vrig_grbl_device = {
    .size = sizeof(vrig_grbl),
    .power_up = power_up,
    .opened = opened,
    .byte = take_byte,
    .tick = tick,
    .fault = fault,
};
