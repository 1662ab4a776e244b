/* comedi_capture CHANNELS RATE_Hz SECONDS live|held: the whole way of a sample from the kernel's comedi_test
 * board into the store and back. live: through the recorder, as in a run. held: kept in memory until the
 * capture is over, and stored then; an emulated processor can take samples from the driver faster than it can
 * store them.
 *
 * Exit 0: every scan came, and what the store gives back is to the bit what the driver delivered. 3: the
 * driver or the recorder reported an overrun, and what came before is in the store to the bit. 1: anything
 * else. */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "cb_time.h"
#include "daq_force.h"
#include "daq_recorder.h"

#define BLOCK 8192
#define BUFFER_s 9   /* nearly all that the kernel gives: this machine may be busy with other things */
#define PERIOD_S 0.1 /* of the saw tooth on channel 0: tests/qemu/run loads the driver so */
#define FALL \
  1000 /* counts: its 1 V are 3277 of 65536 at +-10 V; it rises by far less from one sample to the next */

#define CHUNK 65536

typedef struct column {
  size_t n;
  double *t_s, *v; /* wanted each */
} column;

typedef struct capture {
  cb_rig rig;
  daq_force force;
  cb_store *store;
  cb_run run;
  daq_recorder *recorder; /* NULL: held */
  size_t wanted, n_reads;
  column delivered[CB_N_CHANNELS];
  double last;                          /* raw, of the force channel */
  size_t last_fall;                     /* sample at which the saw tooth fell */
  double shortest_tooth, longest_tooth; /* samples from fall to fall */
} capture;

/* ---- the rig and its row ---- */

static void make_rig(capture *c, size_t channels, double rate_Hz) {
  static const cb_comedi_channel all[] = {{CB_COMEDI_FORCE, 0, 0, CB_AREF_GROUND, 1, 0},
                                          {CB_COMEDI_EXCITATION, 1, 0, CB_AREF_GROUND, 1, 0},
                                          {CB_COMEDI_DISPLACEMENT, 2, 0, CB_AREF_GROUND, 1, 0},
                                          {CB_COMEDI_TEMPERATURE, 3, 0, CB_AREF_GROUND, 1, 0}};
  c->rig.force =
      (cb_rig_force){.driver = CB_FORCE_COMEDI, .unit = "N", .rate_Hz = rate_Hz, .silence_timeout_s = 5};
  c->rig.comedi = (cb_rig_comedi){.present = true, .subdevice = -1, .buffer_s = BUFFER_s, .n = channels};
  for (size_t i = 0; i < channels; i++) c->rig.comedi.channel[i] = all[i];
}

static cb_status make_run(capture *c, const char *path, cb_err *err) {
  cb_campaign campaign = {.name = "capture",
                          .kind = CB_CAMPAIGN_FRICTION,
                          .plan_text = (char *)"plan: capture\n",
                          .origin = CB_VIRTUAL};
  cb_calibration calibration = {.unit = "N", .slope_N_per_unit = 1, .u_rel = 0.01};
  cb_run *r = &c->run;
  *r = (cb_run){.cart_mass_kg = 0.1,
                .normal_force_N = 1,
                .u_normal_force_N = 0.01,
                .contact_area_m2 = 0.005,
                .speed_m_per_s = 0.01,
                .travel_m = 0.1,
                .direction = 1,
                .repeat = 1,
                .rate_Hz = c->rig.force.rate_Hz,
                .origin = CB_VIRTUAL,
                .source = "comedi_test",
                .status = CB_RUN_RUNNING};
  campaign.temperature_degC = campaign.humidity_percent = NAN;
  CB_TRY(cb_store_open(path, CB_STORE_WRITE, &c->store, err));
  CB_TRY(cb_store_material_ensure(c->store, CB_CLOTH, "C", CB_VIRTUAL, &r->cloth_id, err));
  CB_TRY(cb_store_material_ensure(c->store, CB_BODY, "B", CB_VIRTUAL, &r->body_id, err));
  CB_TRY(cb_store_rig_ensure(c->store, "capture", "name: capture\n", &r->rig_id, err));
  calibration.rig_id = campaign.rig_id = r->rig_id;
  campaign.cloth_id = r->cloth_id;
  campaign.body_id = r->body_id;
  CB_TRY(cb_store_calibration_ensure(c->store, &calibration, err));
  r->calibration_id = calibration.id;
  CB_TRY(cb_store_campaign_put(c->store, &campaign, err));
  r->campaign_id = campaign.id;
  return cb_store_run_put(c->store, r, err);
}

/* ---- capture ---- */

/* What one read brought of one channel. */
static cb_status keep(capture *c, cb_channel channel, double t_s, const double *raw, size_t n, cb_err *err) {
  column *k = &c->delivered[channel];
  if (c->recorder) CB_TRY(daq_recorder_push_block(c->recorder, channel, t_s, raw, n, err));
  for (size_t i = 0; i < n; i++) {
    k->t_s[k->n] = nearbyint(t_s * 1e6) / 1e6; /* as the recorder rounds it */
    k->v[k->n++] = raw[i];
  }
  return CB_OK;
}

/* A lost sample makes a tooth shorter. The first tooth is no whole one. */
static void watch_tooth(capture *c, size_t at, double raw) {
  bool fell = c->last - raw > FALL;
  c->last = raw;
  if (!fell) return;
  double tooth = (double)(at - c->last_fall);
  if (c->last_fall > 0) {
    c->shortest_tooth = fmin(c->shortest_tooth, tooth);
    c->longest_tooth = fmax(c->longest_tooth, tooth);
  }
  c->last_fall = at;
}

static cb_status take(capture *c, const daq_reading *r, size_t n, double t_s, cb_err *err) {
  static double raw[CB_N_CHANNELS][BLOCK];
  size_t m[CB_N_CHANNELS] = {0};
  for (size_t i = 0; i < n; i++) {
    cb_channel k = r[i].channel;
    if (c->delivered[k].n + m[k] == c->wanted) continue;
    if (k == CB_CHANNEL_FORCE) watch_tooth(c, c->delivered[k].n + m[k], r[i].raw);
    raw[k][m[k]++] = r[i].raw;
  }
  for (cb_channel k = 0; k < CB_N_CHANNELS; k++)
    if (m[k] > 0) CB_TRY(keep(c, k, t_s, raw[k], m[k], err));
  return CB_OK;
}

static cb_status capture_all(capture *c, cb_err *err) {
  static daq_reading block[BLOCK];
  struct pollfd p = {.fd = c->force.driver->fd(&c->force), .events = POLLIN};
  double began_s = cb_now_monotonic_s();
  while (c->delivered[CB_CHANNEL_FORCE].n < c->wanted) {
    size_t n;
    if (poll(&p, 1, 5000) == 0) return cb_fail(err, CB_E_TIMEOUT, "the board was silent for 5 s");
    CB_TRY(daq_force_read_many(&c->force, block, BLOCK, &n, err));
    c->n_reads++;
    CB_TRY(take(c, block, n, cb_now_monotonic_s() - began_s, err));
  }
  return CB_OK;
}

/* ---- into the store, and back ---- */

static cb_status hold(capture *c, const cb_run_channel *k, cb_err *err) {
  column *d = &c->delivered[k->channel];
  d->t_s = malloc(c->wanted * sizeof(double));
  d->v = malloc(c->wanted * sizeof(double));
  return d->t_s && d->v ? CB_OK : cb_fail(err, CB_E_NOMEM, "out of memory for %zu samples", c->wanted);
}

static cb_status store_held(capture *c, const cb_run_channel *k, cb_err *err) {
  column *d = &c->delivered[k->channel];
  CB_TRY(cb_store_begin(c->store, err));
  for (size_t i = 0, n; i < d->n; i += n) {
    n = d->n - i < CHUNK ? d->n - i : CHUNK;
    CB_TRY(cb_store_chunk_put(c->store, c->run.id, k->channel, (int64_t)i, n, d->t_s + i, d->v + i, err));
  }
  return cb_store_commit(c->store, err);
}

static uLong crc_of(size_t n, const double *t_s, const double *v) {
  return crc32_z(crc32_z(0, (const Bytef *)t_s, n * sizeof *t_s), (const Bytef *)v, n * sizeof *v);
}

/* Frees what was delivered: both would not fit the guest. */
static int compare(capture *c, const cb_run_channel *k, cb_err *err) {
  column *d = &c->delivered[k->channel];
  uLong wanted = crc_of(d->n, d->t_s, d->v);
  cb_series s;
  free(d->t_s);
  free(d->v);
  if (cb_store_samples(c->store, c->run.id, k->channel, &s, err) != CB_OK) return 0;
  uLong got = crc_of(s.n, s.t_s, s.v);
  int same = s.n == d->n && got == wanted;
  printf("  %-12s %zu delivered, %zu stored, CRC %08lx and %08lx: %s\n", cb_channel_names[k->channel], d->n,
         s.n, wanted, got, same ? "same" : "DIFFERENT");
  cb_series_clear(&s);
  return same;
}

/* ---- the program ---- */

typedef struct board {
  cb_run_channel channel[CB_N_CHANNELS];
  size_t n;
} board;

static cb_status open_all(capture *c, const char *path, int live, board *b, cb_err *err) {
  CB_TRY(make_run(c, path, err));
  if (live)
    CB_TRY(
        daq_recorder_start(c->store, c->run.campaign_id, c->run.id, c->rig.force.rate_Hz, &c->recorder, err));
  CB_TRY(daq_force_open(&c->force, &c->rig, "/dev/comedi0", NULL, NULL, err));
  b->n = daq_comedi_driver.channels(&c->force, b->channel);
  for (size_t i = 0; i < b->n; i++) CB_TRY(hold(c, &b->channel[i], err));
  printf("%s: %zu channels, granted %.9g scans per second\n", c->force.identity, b->n,
         b->channel[0].granted_rate_Hz);
  return daq_comedi_driver.discard(&c->force, err);
}

static void report(const capture *c, double seconds) {
  printf("  %zu of %zu scans in %.2f s, %zu reads, %zu clipped; saw tooth of %g samples: %g to %g\n",
         c->delivered[CB_CHANNEL_FORCE].n, c->wanted, seconds, c->n_reads, c->force.n_clipped,
         PERIOD_S * c->rig.force.rate_Hz, c->shortest_tooth, c->longest_tooth);
}

static int capture_and_compare(capture *c, const char *path, int live, cb_err *err) {
  board b = {.n = 0};
  cb_status st = open_all(c, path, live, &b, err);
  double began_s = cb_now_monotonic_s(), whole = PERIOD_S * c->rig.force.rate_Hz;
  if (st != CB_OK) return 1;
  st = capture_all(c, err);
  double captured_s = cb_now_monotonic_s();
  report(c, captured_s - began_s);
  if (st != CB_OK) printf("  %s\n", err->msg);
  daq_force_close(&c->force);
  cb_status stored = daq_recorder_stop(c->recorder, err);
  for (size_t i = 0; i < b.n && !live && stored == CB_OK; i++) stored = store_held(c, &b.channel[i], err);
  if (stored != CB_OK) return 1;
  printf("  stored %.2f s later\n", cb_now_monotonic_s() - captured_s);
  int same = 1;
  for (size_t i = 0; i < b.n; i++) same &= compare(c, &b.channel[i], err);
  bool overrun = st == CB_E_DEVICE || st == CB_E_IO; /* the driver's; the recorder's */
  if (!same || (st != CB_OK && !overrun)) return 1;
  if (overrun) return 3;
  return fabs(c->shortest_tooth - whole) <= 2 && fabs(c->longest_tooth - whole) <= 2 ? 0 : 1;
}

int main(int argc, char **argv) {
  static capture c = {.shortest_tooth = INFINITY};
  const char *folder = getenv("TMPDIR");
  cb_err err = {""};
  char path[300];
  int channels = argc == 5 ? atoi(argv[1]) : 0;
  if (channels < 1 || channels > 4)
    return fprintf(stderr, "usage: comedi_capture CHANNELS(1-4) RATE_Hz SECONDS live|held\n"), 2;
  double rate_Hz = atof(argv[2]);
  c.wanted = (size_t)llround(rate_Hz * atof(argv[3]));
  make_rig(&c, (size_t)channels, rate_Hz);
  (void)snprintf(path, sizeof path, "%s/capture-%d.db", folder ? folder : "/tmp", (int)getpid());
  int code = capture_and_compare(&c, path, argv[4][0] == 'l', &err);
  if (code == 1) printf("  failed: %s\n", err.msg);
  if (cb_store_close(c.store, &err) != CB_OK) code = 1;
  (void)unlink(path);
  return code;
}
