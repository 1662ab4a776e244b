/* What the benches share: a database with one virtual pair, runs in it, synthetic samples of a 16-bit
 * converter, and an edited rig file. */
#ifndef BENCH_LAB_H
#define BENCH_LAB_H

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_rng.h"
#include "cb_store.h"
#include "cb_time.h"

/* A bench that cannot go on says why and ends. */
#define LAB_TRY(call)                           \
  do {                                          \
    cb_err lab_err_ = {""}, *err = &lab_err_;   \
    if ((call) != CB_OK) lab_die(lab_err_.msg); \
  } while (0)

static inline void lab_die(const char *why) {
  fprintf(stderr, "bench: %s\n", why);
  exit(1);
}

/* Of all threads of the process. */
static inline double lab_cpu_s(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What malloc has given and not taken back. */
static inline double lab_bytes_in_use(void) {
  struct mallinfo2 m = mallinfo2();
  return (double)m.uordblks + (double)m.hblkhd;
}

typedef struct lab {
  char path[4096];
  cb_store *store;
  cb_run like; /* ids of what a run refers to */
} lab;

static inline void lab_remove(const char *path) {
  const char *const endings[] = {"", "-wal", "-shm"};
  char name[4200];
  for (int i = 0; i < 3; i++) {
    (void)snprintf(name, sizeof name, "%s%s", path, endings[i]);
    (void)unlink(name);
  }
}

static inline void lab_campaign(lab *l, const char *name) {
  cb_campaign c = {.kind = CB_CAMPAIGN_FRICTION,
                   .cloth_id = l->like.cloth_id,
                   .body_id = l->like.body_id,
                   .plan_text = (char[]){"bench\n"},
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = CB_VIRTUAL};
  (void)snprintf(c.name, sizeof c.name, "%s", name);
  LAB_TRY(cb_store_campaign_put(l->store, &c, err));
  l->like.campaign_id = c.id;
}

static inline void lab_open(lab *l, const char *path, double rate_Hz) {
  cb_calibration cal = {
      .unit = "N", .slope_N_per_unit = 1, .u_rel = 0.001, .certificate = "bench", .valid_from = "2026-01-01"};
  *l = (lab){.like = {.contact_area_m2 = 0.005,
                      .direction = 1,
                      .repeat = 1,
                      .rate_Hz = rate_Hz,
                      .travel_m = 0.02,
                      .speed_m_per_s = 0.01,
                      .origin = CB_VIRTUAL,
                      .source = "bench",
                      .status = CB_RUN_RUNNING}};
  (void)snprintf(l->path, sizeof l->path, "%s", path);
  LAB_TRY(cb_store_open(path, CB_STORE_WRITE, &l->store, err));
  LAB_TRY(cb_store_material_ensure(l->store, CB_CLOTH, "Bench cloth", CB_VIRTUAL, &l->like.cloth_id, err));
  LAB_TRY(cb_store_material_ensure(l->store, CB_BODY, "Bench body", CB_VIRTUAL, &l->like.body_id, err));
  LAB_TRY(cb_store_rig_ensure(l->store, "bench", "bench\n", &l->like.rig_id, err));
  cal.rig_id = l->like.rig_id;
  LAB_TRY(cb_store_calibration_ensure(l->store, &cal, err));
  l->like.calibration_id = cal.id;
}

static inline int64_t lab_run(lab *l) {
  cb_run run = l->like;
  LAB_TRY(cb_store_run_put(l->store, &run, err));
  return run.id;
}

static inline double lab_bytes(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 ? (double)s.st_size : 0;
}

/* Counts of a 16-bit converter: a slow friction curve under white noise of sd counts. */
static inline void lab_counts(double *v, size_t n, double sd, uint64_t seed) {
  cb_rng rng;
  cb_rng_init(&rng, seed, 3);
  for (size_t i = 0; i < n; i++)
    v[i] = fmin(fmax(rint(40000 + 2000 * sin(1e-4 * (double)i) + sd * cb_rng_normal(&rng)), 0), 65535);
}

/* Writes rigs/virtual.yaml with every first text of a pair replaced by the second. */
static inline void lab_rig(const char *path, const char *const pairs[][2], size_t n_pairs) {
  char *text;
  size_t n;
  LAB_TRY(cb_file_read(CB_SOURCE_DIR "/rigs/virtual.yaml", 1 << 20, &text, &n, err));
  for (size_t i = 0; i < n_pairs; i++) {
    char *at = strstr(text, pairs[i][0]), *edited = malloc(strlen(text) + strlen(pairs[i][1]) + 1);
    if (!at || !edited) lab_die("rigs/virtual.yaml is not as this bench expects it");
    (void)sprintf(edited, "%.*s%s%s", (int)(at - text), text, pairs[i][1], at + strlen(pairs[i][0]));
    free(text);
    text = edited;
  }
  LAB_TRY(cb_file_write(path, text, strlen(text), err));
  free(text);
}

static inline int by_size(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}
static inline double median(double *x, size_t n) {
  qsort(x, n, sizeof *x, by_size);
  return x[n / 2];
}

#endif
