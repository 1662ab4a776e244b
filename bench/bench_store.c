/* bench_store [FOLDER]: how many samples per second reach the file, and how many bytes each takes there.
 * Synthetic counts of a 16-bit converter with white noise of 8 and of 64 counts, four ways:
 *   store      1 s of samples at 1 MS/s per call and transaction, straight into the store, as fast as it goes
 *   batches    the 100 ms batches of 4 channels at 100 kS/s, straight into the store
 *   recorder   blocks of 1 ms at 3.3 MS/s through the recorder's ring, paced by the clock: what a board would
 *              do for 3 s
 *   slow       1 kS/s for 240 s of signal in 100 ms batches: tails, and chunks made of them
 * Medians of 5. Everything is read back and compared bit for bit, stamps too. */
#include "bench_lab.h"
#include "daq_recorder.h"

#define REPEATS 5
#define N_SIGNAL 4194304
#define PACED_HZ 3.3e6

static double signal_counts[N_SIGNAL], stamps[N_SIGNAL];

typedef struct outcome {
  double per_s, bytes;
} outcome;

typedef struct way {
  const char *name;
  int n_channels;
  size_t n, block; /* samples per channel, per call */
  double rate_Hz;  /* of the stamps */
  bool paced;
} way;

static const way ways[] = {
    {"store", 1, 4000000, 1000000, 1e6, false},
    {"batches", 4, 1000000, 10000, 1e5, false},
    {"recorder", 1, 9900000 / 3, 3300, PACED_HZ, true},
    {"slow", 1, 240000, 100, 1e3, false},
};

/* Samples of a block share the stamp of its end, in whole microseconds, as the recorder makes them; a slow
 * stream is stamped one by one with some jitter. */
static void make_stamps(const way *w) {
  cb_rng rng;
  cb_rng_init(&rng, 5, 5);
  for (size_t i = 0; i < w->n; i++) {
    double t_s = w->rate_Hz > 1e4 ? (double)(i / w->block + 1) * (double)w->block / w->rate_Hz
                                  : (double)i / w->rate_Hz + 50e-6 * fabs(cb_rng_normal(&rng));
    stamps[i] = rint(t_s * 1e6) / 1e6;
  }
}

static void write_store(lab *l, const way *w, int64_t run_id) {
  for (size_t i = 0; i < w->n; i += w->block) {
    LAB_TRY(cb_store_begin(l->store, err));
    for (int c = 0; c < w->n_channels; c++)
      LAB_TRY(cb_store_samples_append(l->store, run_id, (cb_channel)c, (int64_t)i, w->block, stamps + i,
                                      signal_counts + i, err));
    LAB_TRY(cb_store_commit(l->store, err));
  }
}

/* Pushes each block when the clock says that the converter has it. */
static void write_paced(lab *l, const way *w, int64_t run_id) {
  daq_recorder *r;
  LAB_TRY(daq_recorder_start(l->store, l->like.campaign_id, run_id, w->rate_Hz, &r, err));
  double began_s = cb_now_monotonic_s();
  for (size_t i = 0; i < w->n; i += w->block) {
    double due_s = began_s + (double)(i + w->block) / w->rate_Hz, now_s = cb_now_monotonic_s();
    if (due_s > now_s) cb_sleep_s(due_s - now_s);
    LAB_TRY(daq_recorder_push_block(r, CB_CHANNEL_FORCE, stamps[i], signal_counts + i, w->block, err));
  }
  LAB_TRY(daq_recorder_stop(r, err));
}

static void compare(lab *l, const way *w, int64_t run_id) {
  for (int c = 0; c < w->n_channels; c++) {
    cb_series s;
    LAB_TRY(cb_store_samples(l->store, run_id, (cb_channel)c, &s, err));
    if (s.n != w->n || memcmp(s.v, signal_counts, s.n * sizeof *s.v) != 0 ||
        memcmp(s.t_s, stamps, s.n * sizeof *s.v) != 0)
      lab_die("what came back is not what was stored");
    cb_series_clear(&s);
  }
}

static outcome once(const char *folder, const way *w) {
  char path[4096], empty[4096];
  lab l, e;
  (void)snprintf(path, sizeof path, "%s/bench_store.db", folder);
  (void)snprintf(empty, sizeof empty, "%s/bench_empty.db", folder);
  lab_remove(path), lab_remove(empty);
  lab_open(&e, empty, w->rate_Hz);
  LAB_TRY(cb_store_close(e.store, err));
  lab_open(&l, path, w->rate_Hz);
  lab_campaign(&l, "bench");
  int64_t run_id = lab_run(&l);
  double began_s = cb_now_monotonic_s();
  (w->paced ? write_paced : write_store)(&l, w, run_id);
  LAB_TRY(cb_store_run_finish(l.store, run_id, CB_RUN_DONE, "", err));
  outcome o = {.per_s = (double)w->n * w->n_channels / (cb_now_monotonic_s() - began_s)};
  compare(&l, w, run_id);
  LAB_TRY(cb_store_check(l.store, NULL, err));
  LAB_TRY(cb_store_close(l.store, err));
  o.bytes = (lab_bytes(path) - lab_bytes(empty)) / ((double)w->n * w->n_channels);
  lab_remove(path), lab_remove(empty);
  return o;
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : ".";
  printf("way        sd [counts]  samples/s   bytes/sample in the file (stamps, values and all)\n");
  for (double sd = 8; sd <= 64; sd *= 8) {
    lab_counts(signal_counts, N_SIGNAL, sd, 1);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
      double per_s[REPEATS], bytes[REPEATS];
      make_stamps(&ways[i]);
      for (int k = 0; k < REPEATS; k++) {
        outcome o = once(folder, &ways[i]);
        per_s[k] = o.per_s, bytes[k] = o.bytes;
      }
      printf("%-10s %11g  %9.3g   %.3f\n", ways[i].name, sd, median(per_s, REPEATS), median(bytes, REPEATS));
      fflush(stdout);
    }
  }
  return 0;
}
