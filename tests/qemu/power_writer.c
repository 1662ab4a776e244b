/* What is in the database after a power cut? In the guest, on a disk that will lose its machine:
 *
 *   power_writer write DB ACKS SEED   writes runs of three channels as the recorder does, and acknowledges
 *   every commit in ACKS
 *   power_writer watch DB ACKS        beside a campaign: acknowledges what another process can read of the
 *                                     run under way; the log's index names a commit only once it was
 *                                     synchronised (SQLite's wal.c, sqlite3WalFrames)
 *   power_writer check DB ACKS        afterwards: is every acknowledged sample there, and right? Says what it
 *                                     found; 1: one is lost
 *
 * ACKS lies outside the machine that is cut. CB_SYNCHRONOUS=NORMAL or OFF spoils this program's own database
 * settings, to show that the check can fail: sqlite3_exec() goes through here by the linker's --wrap. */
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_rng.h"
#include "cb_store.h"
#include "cb_time.h"

#define LARGEST 2000
#define N_CHANNELS 3

typedef struct acknowledgement {
  int64_t run_id, n[N_CHANNELS];
  int ended, known; /* known: by the values of this program */
} acknowledgement;

static double time_of(int64_t i) { return (double)(i * 100) / 1e6; }
static double value_of(int64_t i, int channel) { return (double)((i * 7919 + 13 * channel) % 50021) / 10; }

int __real_sqlite3_exec(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
                        void *context, char **message);
int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
                        void *context, char **message);
int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
                        void *context, char **message) {
  char spoilt[64];
  const char *mode = getenv("CB_SYNCHRONOUS");
  if (!mode || strcmp(sql, "PRAGMA synchronous = FULL") != 0)
    return __real_sqlite3_exec(db, sql, row, context, message);
  (void)snprintf(spoilt, sizeof spoilt, "PRAGMA synchronous = %s", mode);
  return __real_sqlite3_exec(db, spoilt, row, context, message);
}

/* One write(2), so that no line is half there. */
static cb_status acknowledge(int acks, const acknowledgement *a, cb_err *err) {
  return write(acks, a, sizeof *a) == sizeof *a
             ? CB_OK
             : cb_fail(err, CB_E_IO, "the acknowledgement could not be written");
}

/* ---- write ---- */

/* The rows a run hangs on; those of the last boot where there are any. */
static cb_status find_or_make_campaign(cb_store *s, cb_run *like, cb_err *err) {
  cb_campaign c = {.name = "power",
                   .plan_text = (char[]){"plan"},
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = CB_MEASURED};
  cb_calibration cal = {
      .unit = "N", .slope_N_per_unit = 1, .u_rel = 0.001, .certificate = "W", .valid_from = "2026-01-01"};
  cb_campaign *list = NULL;
  size_t n = 0;
  *like = (cb_run){.contact_area_m2 = 1,
                   .direction = 1,
                   .repeat = 1,
                   .rate_Hz = 10000,
                   .origin = CB_MEASURED,
                   .status = CB_RUN_RUNNING};
  CB_TRY(cb_store_material_ensure(s, CB_CLOTH, "Twill", CB_MEASURED, &like->cloth_id, err));
  CB_TRY(cb_store_material_ensure(s, CB_BODY, "Foam", CB_MEASURED, &like->body_id, err));
  CB_TRY(cb_store_rig_ensure(s, "rig", "name: rig\n", &like->rig_id, err));
  c.cloth_id = like->cloth_id, c.body_id = like->body_id, cal.rig_id = c.rig_id = like->rig_id;
  CB_TRY(cb_store_calibration_ensure(s, &cal, err));
  like->calibration_id = cal.id;
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  like->campaign_id = n > 0 ? list[0].id : 0;
  free(list);
  if (like->campaign_id > 0) return cb_store_runs_interrupt(s, like->campaign_id, &n, err);
  CB_TRY(cb_store_campaign_put(s, &c, err));
  like->campaign_id = c.id;
  return CB_OK;
}

static cb_status append(cb_store *s, acknowledgement *a, int channel, int64_t n, cb_err *err) {
  static double t[LARGEST], v[LARGEST];
  for (int64_t i = 0; i < n; i++) {
    t[i] = time_of(a->n[channel] + i);
    v[i] = value_of(a->n[channel] + i, channel);
  }
  CB_TRY(cb_store_samples_append(s, a->run_id, (cb_channel)channel, a->n[channel], (size_t)n, t, v, err));
  a->n[channel] += n;
  return CB_OK;
}

static cb_status write_once(cb_store *s, int acks, cb_rng *rng, acknowledgement *a, cb_err *err) {
  CB_TRY(cb_store_begin(s, err));
  for (int c = 0; c < N_CHANNELS; c++) CB_TRY(append(s, a, c, (int64_t)(LARGEST * cb_rng_uniform(rng)), err));
  CB_TRY(cb_store_commit(s, err));
  a->ended = cb_rng_uniform(rng) < 0.05;
  if (a->ended) CB_TRY(cb_store_run_finish(s, a->run_id, CB_RUN_DONE, "", err));
  return acknowledge(acks, a, err);
}

static cb_status write_for_ever(cb_store *s, int acks, uint64_t seed, cb_err *err) {
  cb_run like;
  cb_rng rng;
  cb_rng_init(&rng, seed, 1);
  CB_TRY(find_or_make_campaign(s, &like, err));
  for (;;) {
    cb_run run = like;
    CB_TRY(cb_store_run_put(s, &run, err));
    acknowledgement a = {.run_id = run.id, .known = 1};
    while (!a.ended) CB_TRY(write_once(s, acks, &rng, &a, err));
  }
}

static cb_status write_db(const char *db, int acks, uint64_t seed, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(db, CB_STORE_WRITE, &s, err));
  cb_status st = write_for_ever(s, acks, seed, err);
  (void)!cb_store_close(s, NULL);
  return st;
}

/* ---- watch ---- */

static cb_status count(cb_store *s, acknowledgement *a, cb_err *err) {
  for (int c = 0; c < N_CHANNELS; c++) {
    cb_series series;
    CB_TRY(cb_store_samples(s, a->run_id, (cb_channel)c, &series, err));
    a->n[c] = (int64_t)series.n;
    cb_series_clear(&series);
  }
  return CB_OK;
}

static cb_status watch_once(cb_store *s, int acks, cb_err *err) {
  cb_run *runs = NULL;
  cb_run_filter f = cb_run_filter_all();
  size_t n;
  CB_TRY(cb_store_runs(s, &f, &runs, &n, err));
  acknowledgement a = {.run_id = n > 0 ? runs[n - 1].id : 0,
                       .ended = n > 0 && runs[n - 1].status == CB_RUN_DONE};
  free(runs);
  if (n == 0) return CB_OK;
  CB_TRY(count(s, &a, err));
  return acknowledge(acks, &a, err);
}

/* For ever: a database that is not there yet, or is being made, will be. */
static _Noreturn void watch_db(const char *db, int acks, cb_err *err) {
  for (;;) {
    cb_store *s = NULL;
    if (cb_store_open(db, CB_STORE_READ, &s, err) == CB_OK) (void)!watch_once(s, acks, err);
    (void)!cb_store_close(s, NULL);
    cb_sleep_s(0.05);
  }
}

/* ---- check ---- */

static cb_status check_channel(cb_store *s, const acknowledgement *a, int c, cb_err *err) {
  cb_series x;
  CB_TRY(cb_store_samples(s, a->run_id, (cb_channel)c, &x, err));
  size_t right = 0;
  while (right < x.n && (!a->known || (x.t_s[right] == time_of((int64_t)right) &&
                                       x.v[right] == value_of((int64_t)right, c))))
    right++;
  size_t n = x.n;
  cb_series_clear(&x);
  if (right < n)
    return cb_fail(err, CB_E_DB, "run %lld: sample %zu of channel %d is wrong", (long long)a->run_id, right,
                   c);
  if ((int64_t)n < a->n[c])
    return cb_fail(err, CB_E_DB, "run %lld: %lld samples of channel %d were acknowledged, %zu are there",
                   (long long)a->run_id, (long long)a->n[c], c, n);
  return CB_OK;
}

static cb_status check_run(cb_store *s, const acknowledgement *a, cb_err *err) {
  cb_run run;
  CB_TRY(cb_store_run_get(s, a->run_id, &run, err));
  for (int c = 0; c < N_CHANNELS; c++) CB_TRY(check_channel(s, a, c, err));
  if (a->ended && run.status != CB_RUN_DONE)
    return cb_fail(err, CB_E_DB, "run %lld: its end was acknowledged, and it is not there",
                   (long long)a->run_id);
  return CB_OK;
}

/* The last word on each run counts. */
static cb_status check_all(cb_store *s, FILE *acks, cb_err *err) {
  acknowledgement a, last = {0};
  cb_store_tally tally;
  long long samples = 0, commits = 0, runs = 0;
  CB_TRY(cb_store_check(s, &tally, err));
  for (int more = 1; more;) {
    more = fread(&a, sizeof a, 1, acks) == 1;
    commits += more;
    if (last.run_id && (!more || a.run_id != last.run_id)) {
      CB_TRY(check_run(s, &last, err));
      runs++;
      for (int c = 0; c < N_CHANNELS; c++) samples += last.n[c];
    }
    last = a;
  }
  printf("%lld acknowledgements, %lld runs, %lld samples acknowledged; %llu samples there\n", commits, runs,
         samples, (unsigned long long)tally.n_samples);
  return CB_OK;
}

static cb_status check_db(const char *db, const char *path, cb_err *err) {
  cb_store *s;
  FILE *acks = fopen(path, "rb");
  if (!acks) return cb_fail(err, CB_E_IO, "%s: cannot be read", path);
  cb_status st = cb_store_open(db, CB_STORE_WRITE, &s, err);
  if (st == CB_OK) {
    st = check_all(s, acks, err);
    (void)!cb_store_close(s, NULL);
  }
  (void)fclose(acks);
  return st;
}

int main(int argc, char **argv) {
  cb_err err = {""};
  cb_status st;
  if (argc < 4)
    return fprintf(stderr, "usage: power_writer write DB ACKS SEED | watch DB ACKS | check DB ACKS\n"), 2;
  if (strcmp(argv[1], "check") == 0) {
    st = check_db(argv[2], argv[3], &err);
  } else {
    int acks = open(argv[3], O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (strcmp(argv[1], "watch") == 0) watch_db(argv[2], acks, &err);
    st = write_db(argv[2], acks, argc > 4 ? strtoull(argv[4], NULL, 10) : 1, &err);
  }
  if (st != CB_OK) (void)fprintf(stderr, "power_writer: %s\n", err.msg);
  return st != CB_OK;
}
