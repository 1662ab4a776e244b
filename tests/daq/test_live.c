/* The live view: a ring that never waits, a state that follows from events alone, a picture that follows from
 * the state, a terminal that is left as it was. */
#include "daqtest.h"

#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "cb_time.h"
#include "live.h"
#include "live_ring.h"
#include "live_screen.h"
#include "live_state.h"

static const live_plan plan = {.slope_N_per_unit = 2,
                               .cart_mass_kg = 0.1,
                               .gravity_m_per_s2 = 10,
                               .travel_m = 0.024,
                               .speed_m_per_s = 0.012,
                               .zero_s = 1,
                               .time_scale = 1,
                               .repeats = 2};

/* ---- ring ---- */

#define N_PUSHED 200000

static void *push_many(void *context) {
  live_event e = {.channel = LIVE_FORCE};
  for (int i = 0; i < N_PUSHED; i++) {
    e.value = i;
    (void)live_ring_push(context, &e);
  }
  return NULL;
}

/* Two threads: what arrives is whole and in order, and what does not is counted. */
static void ring_of_two_threads(void **state) {
  (void)state;
  live_ring *r = calloc(1, sizeof *r);
  pthread_t thread;
  live_event e;
  double last = -1;
  size_t taken = 0;
  assert_non_null(r);
  assert_int_equal(pthread_create(&thread, NULL, push_many, r), 0);
  while (last < N_PUSHED - 1 && taken + atomic_load(&r->dropped) < N_PUSHED) {
    if (!live_ring_take(r, &e)) continue;
    assert_true(e.value > last);
    last = e.value;
    taken++;
  }
  pthread_join(thread, NULL);
  while (live_ring_take(r, &e)) taken++;
  assert_int_equal(taken + atomic_load(&r->dropped), N_PUSHED);
  free(r);
}

static void full_ring(void **state) {
  (void)state;
  live_ring *r = calloc(1, sizeof *r);
  live_event sample = {.value = 1}, moment = {.is_moment = true};
  assert_non_null(r);
  size_t n = 0;
  while (live_ring_push(r, &sample)) n++;
  assert_int_equal(n, LIVE_RING_SIZE - LIVE_RING_SPARE);
  /* A new run is still told. */
  for (int i = 0; i < LIVE_RING_SPARE; i++) assert_true(live_ring_push(r, &moment));
  assert_false(live_ring_push(r, &moment));
  assert_int_equal(atomic_load(&r->dropped), 2);
  free(r);
}

/* ---- state ---- */

static void say(live_state *s, live_phase phase, size_t done, int direction, double now_s) {
  const live_event e = {.is_moment = true,
                        .moment = {.phase = phase,
                                   .done = done,
                                   .total = 4,
                                   .angle_deg = 45,
                                   .added_mass_kg = 0.1,
                                   .repeat = 1,
                                   .direction = direction,
                                   .zero = 0.5,
                                   .position_m = 0.05}};
  live_state_take(s, &e, now_s);
}

static void feed(live_state *s, live_channel channel, double value) {
  const live_event e = {.channel = channel, .value = value};
  live_state_take(s, &e, 0);
}

/* Slack to 4 mm, peak of 0.8 N there, then 0.6 +- 0.1 N in turns. Reading = 0.5 + direction * force / 2. */
static void pull(live_state *s, int direction, double to_m) {
  for (int i = 0; i <= (int)(to_m / 1e-4 + 0.5); i++) {
    double x = i * 1e-4, force = x < 0.004 ? 0 : x < 0.0045 ? 0.8 : 0.6 + (i % 2 ? 0.1 : -0.1);
    feed(s, LIVE_POSITION, 0.05 + direction * x);
    feed(s, LIVE_FORCE, 0.5 + direction * force / 2);
  }
}

static void follows_a_pull(void **state) {
  (void)state;
  for (int direction = -1; direction <= 1; direction += 2) {
    live_state s;
    live_state_init(&s, &plan);
    assert_true(isnan(live_state_run_left_s(&s, 0)) && isnan(live_state_campaign_left_s(&s, 0)));
    say(&s, LIVE_PREPARING, 0, direction, 10);
    say(&s, LIVE_ZEROING, 0, direction, 11);
    assert_near(live_state_run_left_s(&s, 11.25), 2.75, 1e-9); /* 1 s and 24 mm at 12 mm/s */
    assert_near(live_state_campaign_left_s(&s, 11.25), 2.75 + 3 * 3, 1e-9);
    say(&s, LIVE_PULLING, 0, direction, 12);
    pull(&s, direction, 0.018);
    assert_near(s.force_N, 0.5, 1e-12);
    assert_near(s.x_m, 0.018, 1e-12);
    assert_near(s.peak_N, 0.8, 1e-12);
    assert_near(live_state_normal_force_N(&s), 2, 1e-12);
    assert_near(live_state_run_left_s(&s, 13), 0.5, 1e-9);
    /* Taut at 4 mm: the plateau begins at 4 + 0.3 * 20 = 10 mm; half of its readings are 0.5, half 0.7. */
    live_plateau p = live_state_plateau(&s);
    assert_near(p.from_m, 0.010, 1e-4);
    assert_near(p.mean_N, 0.6, 0.002);
    assert_near(p.sd_N, 0.1, 0.001);
    assert_true(p.n >= 79 && p.n <= 81);
    /* The way back is no part of the pull. */
    say(&s, LIVE_ENDING_RUN, 0, direction, 15);
    feed(&s, LIVE_POSITION, 0.05 + direction * 0.011);
    feed(&s, LIVE_FORCE, 0.5);
    assert_near(s.force_N, 0, 1e-12);
    assert_near(s.x_m, 0.018, 1e-12);
    assert_int_equal(live_state_plateau(&s).n, p.n);
    assert_near(live_state_run_left_s(&s, 15.5), 0, 0);
    say(&s, LIVE_RUN_ENDED, 1, direction, 16);
    /* The next cell has another weight: the force shown is still that of the last pull. */
    live_event next = {.is_moment = true,
                       .moment = {.phase = LIVE_PREPARING, .added_mass_kg = 5, .direction = direction}};
    live_state other = s;
    live_state_take(&other, &next, 16.5);
    assert_near(live_state_normal_force_N(&other), 2, 1e-12);
    next.moment.phase = LIVE_PULLING;
    live_state_take(&other, &next, 17);
    assert_true(live_state_normal_force_N(&other) > 10);
    /* One run took six seconds: three more. */
    assert_near(live_state_campaign_left_s(&s, 16), 18, 1e-9);
    /* The next pull begins with an empty picture. */
    say(&s, LIVE_PULLING, 1, direction, 17);
    assert_int_equal(live_state_plateau(&s).n, 0);
    assert_true(isinf(s.peak_N));
  }
}

/* ---- screen ---- */

/* Columns of a line of UTF-8 without its escapes. */
static int width_of(const char *line, size_t n) {
  int width = 0;
  for (size_t i = 0; i < n; i++) {
    if (line[i] == '\033')
      while (line[i] != 'm') i++;
    else
      width += ((unsigned char)line[i] & 0xc0) != 0x80;
  }
  return width;
}

static const live_verdict never_slid = {.strikes = true,
                                        .verdict = "run 3 is INVALID: the sled never slid",
                                        .advice = "what helps: a longer travel",
                                        .count = "1 of 3 pulls is invalid: never slid"};

static void fits_the_terminal(void **state) {
  (void)state;
  static live_frame f;
  live_state s;
  live_state_init(&s, &plan);
  say(&s, LIVE_PULLING, 2, 1, 12);
  pull(&s, 1, 0.018);
  s.verdict = never_slid;
  for (int columns = 1; columns <= 200; columns += 7)
    for (int rows = 1; rows <= 30; rows += 3)
      for (int kind = 0; kind < 4; kind++) {
        const live_look look = {.columns = columns, .rows = rows, .utf8 = kind & 1, .color = kind & 2};
        live_screen_draw(&s, 13, &look, &f);
        const char *at = f.text;
        assert_true(f.n_lines >= 4 && f.n_lines <= LIVE_MAX_LINES);
        if (rows >= 6) assert_true((int)f.n_lines < rows);
        for (size_t i = 0; i < f.n_lines; i++) {
          const char *end = strchr(at, '\n');
          assert_non_null(end);
          assert_true(width_of(at, (size_t)(end - at)) < (columns > 1 ? columns : 2));
          assert_int_equal(width_of(at, (size_t)(end - at)), f.width[i]);
          at = end + 1;
        }
        assert_int_equal(*at, '\0');
        if (!look.color) assert_null(strchr(f.text, '\033'));
        for (size_t i = 0; !look.utf8 && i < f.n; i++) assert_true((unsigned char)f.text[i] < 0x80);
      }
}

static void says_what_is_known(void **state) {
  (void)state;
  static live_frame f;
  live_state s;
  const live_look look = {.columns = 100, .rows = 24};
  live_state_init(&s, &plan);
  say(&s, LIVE_ZEROING, 2, 1, 12);
  live_screen_draw(&s, 12, &look, &f);
  assert_non_null(strstr(f.text, "run 3 of 4: 45 deg, 100 g, repeat 1 of 2, forward - zero\n"));
  assert_non_null(strstr(f.text, "force        - (no zero yet)\n"));
  say(&s, LIVE_PULLING, 2, 1, 13);
  pull(&s, 1, 0.018);
  live_screen_draw(&s, 13, &look, &f);
  assert_non_null(strstr(f.text, "forward - pulling\n  0.800 N|"));
  assert_non_null(strstr(f.text, "\n  0.000 N|*****"));
  assert_non_null(strstr(f.text, "force     0.5000 N at 18.0 of 24 mm, highest 0.8000 N\n"));
  double mean_N, sd_N, mu;
  const char *plateau = strstr(f.text, "\nplateau ");
  assert_non_null(plateau);
  assert_int_equal(sscanf(plateau, " plateau %lf N, sd %lf, mu %lf, ", &mean_N, &sd_N, &mu), 3);
  assert_near(mean_N, 0.6, 0.002);
  assert_near(mu, 0.3, 0.001);
  assert_non_null(strstr(f.text, "run [#######...] 0:01 left   campaign [#####.....] "));
}

/* Below the chart, red where there are colours; the rest of the picture is as before. */
static void says_the_last_verdict(void **state) {
  (void)state;
  static live_frame f;
  live_state s;
  live_look look = {.columns = 100, .rows = 24};
  live_state_init(&s, &plan);
  say(&s, LIVE_ZEROING, 3, 1, 12);
  s.verdict = never_slid;
  live_screen_draw(&s, 12, &look, &f);
  assert_non_null(strstr(f.text,
                         "\nrun 3 is INVALID: the sled never slid\nwhat helps: a longer travel\n"
                         "1 of 3 pulls is invalid: never slid\nforce "));
  look.color = true;
  live_screen_draw(&s, 12, &look, &f);
  assert_non_null(strstr(f.text, "\033[1;37;41mrun 3 is INVALID: the sled never slid\033[0m\nwhat helps"));
  s.verdict = (live_verdict){.verdict = "run 4 is valid", .count = "all 4 pulls are valid"};
  live_screen_draw(&s, 12, &look, &f);
  assert_non_null(strstr(f.text, "\nrun 4 is valid\nall 4 pulls are valid\nforce "));
  look.rows = 6; /* the first line is the last to go */
  live_screen_draw(&s, 12, &look, &f);
  assert_non_null(strstr(f.text, "run 4 is valid\nforce "));
}

/* What the eye has to find is at the beginning of the line, however narrow the terminal. */
static void says_that_it_broke_off(void **state) {
  (void)state;
  static live_frame f;
  live_state s;
  const live_look look = {.columns = 64, .rows = 24};
  live_state_init(&s, &plan);
  say(&s, LIVE_PULLING, 2, 1, 13);
  say(&s, LIVE_BROKEN_OFF, 2, 1, 14);
  live_screen_draw(&s, 14, &look, &f);
  assert_non_null(strstr(f.text, "BROKEN OFF at run 3 of 4: the stage stands\n"));
  assert_non_null(strstr(f.text, "campaign [#####.....] -:-- left\n"));
  say(&s, LIVE_BROKEN_OFF_LOOSE, 2, 1, 14);
  live_screen_draw(&s, 14, &look, &f);
  assert_non_null(strstr(f.text, "BROKEN OFF at run 3 of 4: the stage may still move, look at it"));
}

/* ---- terminal ---- */

static size_t read_all(int fd, char *out, size_t size) {
  size_t n = 0;
  for (;;) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (n + 1 >= size || poll(&p, 1, 50) <= 0) break;
    ssize_t got = read(fd, out + n, size - 1 - n);
    if (got <= 0) break;
    n += (size_t)got;
  }
  out[n] = '\0';
  return n;
}

static void on_a_terminal(void **state) {
  (void)state;
  static char text[200000];
  dt_pty t;
  live *v;
  live_moment m = {.phase = LIVE_PULLING, .total = 2, .repeat = 1, .direction = 1};
  dt_pty_open(&t);
  const struct winsize size = {.ws_row = 24, .ws_col = 80};
  assert_int_equal(ioctl(t.slave, TIOCSWINSZ, &size), 0);
  const live_options o = {.terminal = t.slave};
  assert_ok(live_start(&plan, &o, &v, err));
  live_say(v, &m);
  live_sample(v, LIVE_FORCE, 1);
  cb_sleep_s(0.3 * cbt_patience());
  live_pause(v);
  size_t n = read_all(t.master, text, sizeof text);
  assert_true(n > 0);
  assert_non_null(strstr(text, "run 1 of 2"));
  /* Drawn in place. */
  assert_non_null(strstr(text, "\033[9A\033[J"));
  /* Nothing that would have to be undone: no hidden cursor, no other screen, no other mode. */
  assert_null(strstr(text, "\033[?"));
  /* A prompt has the terminal for itself. */
  cb_sleep_s(0.25);
  assert_int_equal(read_all(t.master, text, sizeof text), 0);
  live_resume(v);
  live_stop(v);
  n = read_all(t.master, text, sizeof text);
  assert_true(n > 0);
  /* A new picture below the prompt, not over it. */
  assert_int_equal(strncmp(text, "run 1 of 2", 10), 0);
  dt_pty_close(&t);
}

static void abilities(void **state) {
  (void)state;
  dt_pty t;
  dt_pty_open(&t);
  setenv("TERM", "xterm", 1);
  setenv("NO_COLOR", "1", 1);
  setenv("LC_ALL", "", 1);
  setenv("LC_CTYPE", "de_DE.utf8", 1);
  setenv("LANG", "C", 1);
  live_options o = live_options_of(t.slave);
  assert_int_equal(o.terminal, t.slave);
  assert_false(o.color);
  assert_true(o.utf8);
  setenv("LC_ALL", "C", 1);
  setenv("NO_COLOR", "", 1);
  o = live_options_of(t.slave);
  assert_true(o.color);
  assert_false(o.utf8);
  setenv("TERM", "dumb", 1);
  assert_int_equal(live_options_of(t.slave).terminal, -1);
  setenv("TERM", "xterm", 1);
  int null = open("/dev/null", O_RDWR);
  assert_int_equal(live_options_of(null).terminal, -1);
  close(null);
  dt_pty_close(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ring_of_two_threads),
      cmocka_unit_test(full_ring),
      cmocka_unit_test(follows_a_pull),
      cmocka_unit_test(fits_the_terminal),
      cmocka_unit_test(says_what_is_known),
      cmocka_unit_test(says_the_last_verdict),
      cmocka_unit_test(says_that_it_broke_off),
      cmocka_unit_test(on_a_terminal),
      cmocka_unit_test(abilities),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
