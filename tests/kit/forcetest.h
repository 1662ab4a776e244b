/* An instrument that sends readings, on a pseudo-terminal: it plays a script of commands that end with CR (a
 * line feed after it is ignored), or it just talks. */
#ifndef FORCETEST_H
#define FORCETEST_H

#include "daqtest.h"

#include <math.h>

#include "cb_time.h"
#include "daq_emulator.h"
#include "daq_force.h"

typedef struct ft_instrument {
  dt_pty pty;
  const dt_step *steps; /* wanted: without its CR */
  size_t n, n_played;
  const char *chatter; /* sent every 5 ms; NULL: only answers */
  atomic_bool over;
  char complaint[300];
  pthread_t thread;
} ft_instrument;

/* A host that has left reads nothing: the end of the test is waited for as well. */
static inline void ft_send(ft_instrument *f, const char *text) {
  for (size_t left = strlen(text); left > 0;) {
    struct pollfd p = {.fd = f->pty.master, .events = POLLOUT};
    const bool over = atomic_load(&f->over);
    const ssize_t put = write(f->pty.master, text, left);
    if (put > 0) text += put, left -= (size_t)put;
    if (put > 0) continue;
    if (errno != EAGAIN) (void)snprintf(f->complaint, sizeof f->complaint, "write: %s", strerror(errno));
    if (errno != EAGAIN || over) return;
    (void)poll(&p, 1, 5);
  }
}

static inline void ft_obey(ft_instrument *f, const char *command) {
  const dt_step *s = f->n_played < f->n ? &f->steps[f->n_played] : NULL;
  if (!s || strcmp(command, s->wanted) != 0) {
    (void)snprintf(f->complaint, sizeof f->complaint, "command %zu is '%s', wanted '%s'", f->n_played + 1,
                   command, s ? s->wanted : "none");
    return;
  }
  f->n_played++;
  if (s->answer) ft_send(f, s->answer);
}

static inline void *ft_play(void *context) {
  ft_instrument *f = context;
  char command[64];
  size_t n = 0;
  daq_latency_prefer(); /* an instrument does not wait for a processor */
  while (!f->complaint[0]) {
    struct pollfd p = {.fd = f->pty.master, .events = POLLIN};
    bool over = atomic_load(&f->over);
    char c;
    if (poll(&p, 1, 5) > 0 && read(f->pty.master, &c, 1) == 1) {
      if (c == '\r') {
        command[n] = '\0';
        n = 0;
        ft_obey(f, command);
      } else if (c != '\n' && n < sizeof command - 1) {
        command[n++] = c;
      }
    } else if (over) {
      return NULL;
    } else if (f->chatter) {
      ft_send(f, f->chatter);
    }
  }
  return NULL;
}

static inline void ft_start(ft_instrument *f, const dt_step *steps, size_t n, const char *chatter) {
  memset(f, 0, sizeof *f);
  dt_pty_open(&f->pty);
  f->steps = steps;
  f->n = n;
  f->chatter = chatter;
  if (fcntl(f->pty.master, F_SETFL, O_RDWR | O_NONBLOCK) != 0) fail_msg("%s", strerror(errno));
  if (pthread_create(&f->thread, NULL, ft_play, f) != 0) fail_msg("no thread");
}

/* No more words; the terminal stays. Fails unless exactly the script was played. */
static inline void ft_silence(ft_instrument *f) {
  atomic_store(&f->over, true);
  pthread_join(f->thread, NULL);
  if (f->complaint[0]) fail_msg("%s", f->complaint);
  assert_int_equal(f->n_played, f->n);
}

static inline void ft_end(ft_instrument *f) {
  ft_silence(f);
  dt_pty_close(&f->pty);
}

/* Reads until n readings came, or none comes any more. */
static inline size_t ft_collect(daq_force *f, daq_reading *out, size_t n) {
  size_t total = 0, got;
  double until_s = cb_now_monotonic_s() + 5 * cbt_patience();
  while (total < n && cb_now_monotonic_s() < until_s) {
    assert_ok(daq_force_read_many(f, out + total, n - total, &got, err));
    total += got;
    if (got == 0) cb_sleep_s(0.001);
  }
  return total;
}

/* Twenty readings of a device that is asked, by driver and emulator: the rig's zero, whatever the device
 * sends before and after. */
static inline void ft_emulated(const char *driver, const char *section, double digit, const char *identity) {
  char path[400], sections[400];
  const char *const pairs[][2] = {
      {"driver: line", driver},           {"bench:", sections},
      {"noise_sd: 0.002", "noise_sd: 0"}, {"drift_per_s: 0.00002", "drift_per_s: 0"},
      {"rate_Hz: 400", "rate_Hz: 50"},    {"time_scale: 40", "time_scale: 4"}};
  cb_rig rig;
  daq_emulator *e;
  daq_force f;
  daq_reading r[20];
  (void)snprintf(sections, sizeof sections, "%sbench:", section);
  dt_rig_with(cbt_path("rig.yaml", path), pairs, 6);
  assert_ok(cb_rig_load(path, &rig, err));
  assert_ok(daq_emulator_start(CB_EXE, path, &e, err));
  for (int opened = 0; opened < 2; opened++) { /* whatever state the first program left it in */
    assert_ok(daq_force_open(&f, &rig, daq_emulator_force_port(e), NULL, NULL, err));
    assert_string_equal(f.identity, identity);
    assert_int_equal(ft_collect(&f, r, 20), 20);
    for (int i = 0; i < 20; i++) assert_near(r[i].value, rig.virt.zero, rig.virt.quantum + digit);
    assert_true(f.n_unreadable == 0 && f.n_unanswered == 0);
    daq_force_close(&f);
  }
  daq_emulator_stop(e);
  cb_rig_clear(&rig);
}

#define FT_ANY_FAULT \
  "torn: 2, lost-byte: 2, garbage: 2, not-a-number: 1, doubled: 2, dropped: 1, pieces: 2, burst: 1"

/* A device that is asked, on a wire that spoils a third of its answers as mix says (FT_ANY_FAULT); until 100
 * sound readings came in a row. Returns the number of false ones. CB_SLOW=1: 1000 faults instead of 200. */
static inline size_t ft_spoil(const char *driver, const char *section, const char *mix) {
  const char *slow = getenv("CB_SLOW");
  const size_t wanted = slow && slow[0] ? 1000 : 200;
  char rig_path[400], faults_path[400], text[400], sections[400];
  const char *const pairs[][2] = {{"driver: line", driver},
                                  {"bench:", sections},
                                  {"noise_sd: 0.002", "noise_sd: 0"},
                                  {"drift_per_s: 0.00002", "drift_per_s: 0"},
                                  {"rate_Hz: 400", "rate_Hz: 25"},
                                  {"time_scale: 40", "time_scale: 4"},
                                  {"silence_timeout_s: 5", "silence_timeout_s: 0.3"}};
  cb_rig rig;
  daq_emulator *e;
  daq_force f;
  daq_reading r;
  size_t n = 0, n_false = 0;
  (void)snprintf(sections, sizeof sections, "%sbench:", section);
  (void)snprintf(text, sizeof text, "seed: 7\nmix:\n  every_s: 0.12\n  count: %zu\n  force: {%s}\n", wanted,
                 mix);
  cbt_write(cbt_path("faults.yaml", faults_path), text);
  dt_rig_with(cbt_path("rig.yaml", rig_path), pairs, 7);
  assert_ok(cb_rig_load(rig_path, &rig, err));
  assert_ok(daq_emulator_play(CB_EXE, rig_path, faults_path, &e, err));
  assert_ok(daq_force_open(&f, &rig, daq_emulator_force_port(e), NULL, NULL, err));
  for (size_t sound = 0, spoilt = 0; sound < 100; n++) {
    assert_int_equal(ft_collect(&f, &r, 1), 1);
    const bool is_false = r.overload || fabs(r.value - rig.virt.zero) > 1e-9;
    sound = !is_false && spoilt == f.n_unreadable + f.n_unanswered ? sound + 1 : 0;
    spoilt = f.n_unreadable + f.n_unanswered;
    n_false += is_false;
    if (is_false)
      print_message("reading %zu is %.9g; reformatted %zu, shortest %d\n", n, r.value, f.n_reformatted,
                    f.shortest);
  }
  print_message("%zu faults of {%s}: %zu readings, %zu false, %zu unreadable, %zu unanswered\n", wanted, mix,
                n, n_false, f.n_unreadable, f.n_unanswered);
  assert_true(n_false + f.n_unreadable + f.n_unanswered > wanted / 4);
  daq_force_close(&f);
  daq_emulator_stop(e);
  cb_rig_clear(&rig);
  return n_false;
}

/* Nothing more is to come. */
static inline void ft_expect_silence(daq_force *f) {
  daq_reading r;
  bool found;
  cb_sleep_s(0.02);
  assert_ok(f->driver->read(f, &r, &found, err));
  assert_false(found);
}

#endif
