/* The watchdog by itself: when it writes, when it does not, and what it does with a terminal that is full. */
#include "daqtest.h"

#include "cb_time.h"
#include "daq_watchdog.h"

typedef struct fixture {
  dt_pty pty;
  daq_transport *port;
  daq_watchdog *w;
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  dt_pty_open(&f->pty);
  assert_ok(daq_transport_open(f->pty.name, 115200, &f->port, err));
  assert_ok(daq_watchdog_start(f->port, "/01 stop\n", DAQ_WATCHDOG_S, &f->w, err));
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  daq_watchdog_stop(f->w);
  daq_transport_close(f->port);
  dt_pty_close(&f->pty);
  free(f);
  return 0;
}

/* What arrives at the device within the time; *first_s: when, after began_s. */
static size_t hear(const fixture *f, double seconds, char *text, size_t size, double began_s,
                   double *first_s) {
  double until_s = cb_now_monotonic_s() + seconds;
  size_t n = 0;
  *first_s = INFINITY;
  for (;;) {
    double left_s = until_s - cb_now_monotonic_s();
    struct pollfd p = {.fd = f->pty.master, .events = POLLIN};
    if (left_s <= 0 || n + 1 >= size) break;
    if (poll(&p, 1, (int)ceil(1e3 * left_s)) <= 0) continue;
    ssize_t got = read(f->pty.master, text + n, size - 1 - n);
    if (got > 0 && n == 0) *first_s = cb_now_monotonic_s() - began_s;
    if (got > 0) n += (size_t)got;
  }
  text[n] = '\0';
  return n;
}

/* Not before 0.25 s, then every 0.1 s. */
static void bites(void **state) {
  fixture *f = *state;
  char text[2000];
  const double patience = cbt_patience();
  double first_s, began_s = cb_now_monotonic_s();
  daq_watchdog_arm(f->w);
  size_t n = hear(f, 0.8 * patience, text, sizeof text, began_s, &first_s);
  assert_true(first_s > DAQ_WATCHDOG_S && first_s < 2 * DAQ_WATCHDOG_S * patience);
  assert_true(n >= 18 && (double)n / 9 <= 1 + (cb_now_monotonic_s() - began_s) / 0.1);
  assert_non_null(strstr(text, "/01 stop\n"));
  /* On a busy machine a stop that nobody has read yet gives way to the next one, and may come in part. */
  if (cbt_patience() == 1) {
    assert_memory_equal(text, "/01 stop\n/01 stop\n", 18);
    assert_true(n % 9 == 0);
  }
  assert_fails(CB_E_SAFETY, "watchdog: the acquisition loop did not run for ", daq_watchdog_beat(f->w, err));
}

static void lets_a_loop_run(void **state) {
  fixture *f = *state;
  char text[200];
  daq_latency_prefer(); /* as the acquisition loop does, whose part this test plays */
  double first_s, began_s = cb_now_monotonic_s();
  assert_int_equal(hear(f, 0.4, text, sizeof text, began_s, &first_s), 0); /* not armed */
  assert_ok(daq_watchdog_beat(f->w, err));
  daq_watchdog_arm(f->w);
  for (int i = 0; i < 20; i++) {
    cb_sleep_s(0.03);
    assert_ok(daq_watchdog_beat(f->w, err));
  }
  daq_watchdog_disarm(f->w);
  assert_int_equal(hear(f, 0.4, text, sizeof text, began_s, &first_s), 0);
  /* Not armed, a pause is none of its business; and the next time begins anew. */
  assert_ok(daq_watchdog_beat(f->w, err));
  cb_sleep_s(0.3);
  daq_watchdog_arm(f->w);
  assert_ok(daq_watchdog_beat(f->w, err));
}

/* The device takes nothing: what stands in the terminal gives way to the stop, but for the 4 kB that a
 * pseudo-terminal has handed over already. */
static void full_terminal(void **state) {
  fixture *f = *state;
  static char text[65536];
  double first_s, began_s = cb_now_monotonic_s();
  char junk[256];
  memset(junk, 'x', sizeof junk);
  for (int i = 0; i < 3; i++) {
    while (write(daq_transport_fd(f->port), junk, sizeof junk) > 0) continue;
    assert_int_equal(errno, EAGAIN);
    cb_sleep_s(0.01);
  }
  daq_watchdog_arm(f->w);
  cb_sleep_s(0.3 * cbt_patience());
  (void)hear(f, 0.1 * cbt_patience(), text, sizeof text, began_s, &first_s);
  assert_non_null(strstr(text, "/01 stop\n"));
  assert_in_range(strspn(text, "x"), 0, 4096);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(bites), TEST(lets_a_loop_run), TEST(full_terminal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
