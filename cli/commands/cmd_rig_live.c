/* clothbench rig live RIG.yaml: what the rig says now. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "cb_language.h"
#include "cb_plural.h"
#include "cb_rig.h"
#include "cb_signals.h"
#include "cli.h"
#include "cli_person.h"
#include "cmd_rig.h"
#include "daq_engine.h"
#include "daq_look.h"
#include "lab_alarm.h"
#include "live.h"
#include "live_keys.h"

typedef struct options {
  const char *file, *db, *operator_name;
  double seconds, weight_g; /* NAN: not given */
  bool csv, record;
} options;

typedef struct looker {
  const options *opt;
  cb_rig rig;
  daq_calibration calibration;
  live_words *words; /* NULL: lines on standard output */
  live_keys keys;
  cb_store *store;
  int64_t run_id; /* 0: none was begun */
} looker;

/* ---- lines ---- */

#define NUMBER 32

/* A number with its unit; "?": not known. */
static void with_unit(double value, const char *format, const char *unit, char out[NUMBER]) {
  char number[NUMBER - 12];
  (void)snprintf(number, sizeof number, format, value);
  (void)snprintf(out, NUMBER, "%s %.10s", isnan(value) ? "?" : number, unit);
}

static void csv_cell(double value) {
  if (isnan(value))
    putchar(',');
  else
    printf(",%.9g", value);
}

static void print_csv(const daq_look_view *v) {
  const double cells[] = {v->reading, v->force_N,   v->mean_N,  v->sd_N,
                          v->digit_N, (double)v->n, v->rate_Hz, v->position_m};
  printf("%.3f", v->t_s);
  for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) csv_cell(cells[i]);
  putchar('\n');
}

/* In newton; without a calibration in the read-out's unit. */
typedef struct words {
  char force[NUMBER], reading[NUMBER], sd[NUMBER], digit[NUMBER], low[NUMBER], high[NUMBER], rate[NUMBER];
} words;

static void put_words(const looker *l, const daq_look_view *v, words *w) {
  const bool known = !isnan(v->mean_N);
  const char *own = l->rig.force.unit, *unit = known ? "N" : own;
  with_unit(known ? v->mean_N : v->mean, "%.5f", unit, w->force);
  with_unit(v->reading, "%.6g", own, w->reading);
  with_unit(known ? v->sd_N : v->sd, "%.2g", unit, w->sd);
  with_unit(known ? v->digit_N : v->digit, "%.2g", unit, w->digit);
  with_unit(known ? v->min_N : v->min, "%.4f", unit, w->low);
  with_unit(known ? v->max_N : v->max, "%.4f", unit, w->high);
  with_unit(v->rate_Hz, "%.4g", "Hz", w->rate);
}

static void print_line(const looker *l, const daq_look_view *v) {
  words w;
  put_words(l, v, &w);
  printf("%8.1f s  %s (%s)  sd %s  digit %s  %s  at %.3f mm\n", v->t_s, w.force, w.reading, w.sd, w.digit,
         w.rate, v->position_m * 1e3);
}

/* ---- the picture ---- */

static const char help[] =
    N_("keys      arrow held: moves, and stops when you let go; pressed once: a step\n"
       "          h held: homes   + -: speed   t: zero   w: weight   p: extremes anew\n"
       "          any other key stops the stage   r: record or not   q: leaves\n");

static void describe_motion(const daq_look_view *v, char out[80]) {
  if (v->towards == 0)
    (void)snprintf(out, 80, _("at rest; a jog moves at %g mm/s"), v->speed_m_per_s * 1e3);
  else
    (void)snprintf(out, 80, "%s", v->towards > 0 ? _("moves forward") : _("moves backward"));
}

static void describe_zero(const looker *l, const daq_look_view *v, char out[160]) {
  const char *unit = l->rig.force.unit;
  if (v->n_zero == 0)
    (void)snprintf(out, 160, "%s", _("not taken"));
  else
    (void)snprintf(out, 160,
                   cb_tr_count("%.6g %s, sd %.2g %s of %zu reading, u %.2g %s",
                               "%.6g %s, sd %.2g %s of %zu readings, u %.2g %s", v->n_zero),
                   v->zero, unit, v->sd_zero, unit, v->n_zero, v->u_zero, unit);
}

/* What hangs, what was seen, and how far apart they are in u. */
static void describe_weight(const daq_look_view *v, char out[240]) {
  const double off_N = v->seen_N - v->weight_N, g_per_N = v->weight_kg * 1e3 / v->weight_N;
  out[0] = '\0';
  if (isnan(v->weight_kg)) return;
  if (v->weight_kg > 0)
    (void)snprintf(out, 240,
                   _("weight    %g g pulls with %.5f N; read: %.5f N, %.3f g\n"
                     "          off by %.2g N, %.2f u; u %.2g N of cell, noise and zero\n"),
                   v->weight_kg * 1e3, v->weight_N, v->seen_N, v->seen_N * g_per_N, off_N,
                   off_N / v->u_seen_N, v->u_seen_N);
  else
    (void)snprintf(out, 240, _("weight    none; read: %.5f N, u %.2g N\n"), v->seen_N, v->u_seen_N);
}

static void draw(const looker *l, const daq_look_view *v) {
  char text[LIVE_WORDS_SIZE], motion[80], zero[160], weight[240];
  words w;
  put_words(l, v, &w);
  describe_motion(v, motion);
  describe_zero(l, v, zero);
  describe_weight(v, weight);
  (void)snprintf(text, sizeof text,
                 _("force     %s   (reading %s)\n"
                   "noise     sd %s, digit %s, %s\n"
                   "zero      %s\n%s"
                   "extremes  %s to %s\n"
                   "position  %.3f mm of %g to %g mm%s\n"
                   "stage     %s\n"
                   "note      %s\n%s"),
                 w.force, w.reading, w.sd, w.digit, w.rate, zero, weight, w.low, w.high, v->position_m * 1e3,
                 l->rig.stage.limit_min_m * 1e3, l->rig.stage.limit_max_m * 1e3,
                 v->homed ? "" : _(", not homed"), motion, v->note, l->keys.raw ? _(help) : "");
  live_words_say(l->words, text);
}

/* A reader that is gone wants no more. */
static cb_status show_view(void *context, const daq_look_view *v, cb_err *err) {
  looker *l = context;
  if (l->words) {
    draw(l, v);
    return CB_OK;
  }
  if (l->opt->csv)
    print_csv(v);
  else
    print_line(l, v);
  return fflush(stdout) == 0 ? CB_OK
                             : cb_fail(err, CB_E_IO, "a line could not be written to standard output");
}

_Static_assert((int)LIVE_KEY_NONE == (int)DAQ_KEY_NONE && (int)LIVE_KEY_LEFT == (int)DAQ_KEY_BACKWARD &&
                   (int)LIVE_KEY_RIGHT == (int)DAQ_KEY_FORWARD && (int)LIVE_KEY_OTHER == (int)DAQ_KEY_OTHER,
               "the terminal's keys are the look's");

static cb_status next_key(void *context, int *key, cb_err *err) {
  return live_keys_next(&((looker *)context)->keys, key, err);
}

/* ---- the command ---- */

static cb_status look(looker *l, cb_err *err) {
  const live_options o = live_options_of(STDOUT_FILENO);
  CB_TRY(cb_rig_load(l->opt->file, &l->rig, err));
  if (l->opt->record) CB_TRY(cb_store_open(cli_db_path(l->opt->db), CB_STORE_WRITE, &l->store, err));
  cmd_rig_use_calibration(&l->rig, cli_db_path(l->opt->db), &l->calibration);
  if (o.terminal >= 0 && !l->opt->csv) CB_TRY(live_words_start(&o, &l->words, err));
  if (l->words && live_keys_can()) CB_TRY(live_keys_begin(&l->keys, err));
  if (!l->keys.raw)
    cli_say("rig", "%s",
            l->words ? _("standard input is no terminal, and no key is read; nothing moves (Ctrl-C ends it)")
                     : _("no terminal: one line per second, and no key is read; nothing moves (Ctrl-C ends "
                         "it)"));
  if (l->opt->csv) puts("t_s,reading,force_N,mean_N,sd_N,digit_N,readings,rate_Hz,position_m");
  const daq_look_job job = {.rig = &l->rig,
                            .calibration = &l->calibration,
                            .program = "/proc/self/exe",
                            .stop_flag = cb_signals_listen(),
                            .weight_kg = l->opt->weight_g * 1e-3,
                            .show_every_s = l->words ? 0.1 : 1,
                            .seconds = l->opt->seconds,
                            .show = show_view,
                            .key = l->keys.raw ? next_key : NULL,
                            .context = l,
                            .store = l->store,
                            .operator_name = l->opt->operator_name,
                            .run_id = &l->run_id};
  return daq_look_run(&job, err);
}

/* The look is stored in any case. */
static void tell_alarms(const looker *l) {
  char alarms[400] = "";
  cb_err err = {""};
  cb_run run;
  if (cb_store_run_get(l->store, l->run_id, &run, &err) != CB_OK ||
      lab_alarms_after(l->store, run.campaign_id, l->opt->operator_name, alarms, &err) != CB_OK)
    cli_say("rig", "%s", err.msg);
  else if (alarms[0])
    cli_say("rig", "%s", alarms);
}

/* To be stopped is how it ends. */
static int run_look(const options *o) {
  looker l = {.opt = o};
  cb_err err = {""};
  cb_status st = look(&l, &err);
  live_words_stop(l.words);
  live_keys_end(&l.keys);
  if (l.run_id && (st == CB_OK || st == CB_E_STOPPED)) tell_alarms(&l);
  st = cb_store_close_after(l.store, st, &err);
  if (l.run_id) cli_say("rig", "%s: run %lld", cli_db_path(o->db), (long long)l.run_id);
  cb_rig_clear(&l.rig);
  if (st == CB_OK) return CLI_DONE;
  if (st != CB_E_STOPPED) return cli_fail("rig", st, &err);
  cli_say("rig", "%s; the stage was told to stop", err.msg);
  return CLI_DONE;
}

int cmd_rig_live(int argc, char **argv) {
  options o = {.seconds = INFINITY, .weight_g = NAN};
  const cli_opt opts[] = {
      {"db", CLI_TEXT, &o.db, "database in which 'calibrate' keeps the cell's calibration"},
      {"seconds", CLI_NUMBER, &o.seconds, "end after so many seconds of the clock", .min = 0.1, .max = 1e7},
      {"record", CLI_SWITCH, &o.record, "keep what is seen as a run of kind look in the database"},
      {"operator", CLI_TEXT, &o.operator_name, "who looks (with --record); else who is logged in"},
      {"weight-g", CLI_NUMBER, &o.weight_g, "mass that the key w compares; else it asks", .min = 1e-3,
       .max = 1e6},
      {"csv", CLI_SWITCH, &o.csv, "a table on standard output, one row per second"},
  };
  int stop =
      cli_parse(argc, argv, CMD_RIG_LIVE_USAGE, opts, sizeof opts / sizeof opts[0], &o.file, 1, 1, NULL);
  if (!o.operator_name) o.operator_name = cli_person_name();
  return stop >= 0 ? stop : run_look(&o);
}
