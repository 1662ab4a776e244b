/* Every prompt that precedes motion or weights: Enter on an empty line goes on, and nothing else does. The
 * wire to the stage is the truth: a thousand lines at a prompt must not bring a move onto it. */
#include "persontest.h"
#include "wiretap.h"

#include <signal.h>

#include "cb_rng_parts.h"
#include "cb_store_correction.h"
#include "cb_stop.h"
#include "cli_person.h"
#include "cb_signals.h"
#include "daq_emulator.h"

#define LINES 1000
#define LINE_MAX_BYTES 6000
#define PROMPT "Ctrl-C stops): "
#define KEYS "rvnsq?b" /* what a prompt of `run` takes alone */

/* ---- lines that are none of the empty one ---- */

static size_t fill(cb_rng *rng, char *out, size_t n, bool any_byte) {
  for (size_t i = 0; i < n; i++) {
    do out[i] = (char)(any_byte ? cb_rng_u64(rng) % 256 : 32 + cb_rng_u64(rng) % 95);
    while (out[i] == '\n');
  }
  return n;
}

/* Without its line feed. Never empty, never a carriage return alone, and never a key. */
static size_t random_line(cb_rng *rng, char out[LINE_MAX_BYTES]) {
  static const char *const words[] = {"note: sample slipped",
                                      "y",
                                      "yes",
                                      "ok",
                                      "\r\r",
                                      "\r ",
                                      " ",
                                      "\t",
                                      "  \r",
                                      "quit",
                                      "Enter",
                                      "\\n",
                                      "\x1b[A",
                                      "stop"};
  const size_t n_words = sizeof words / sizeof words[0];
  uint64_t kind = cb_rng_u64(rng) % 10, word = cb_rng_u64(rng) % n_words;
  size_t n;
  if (kind < 3) {
    n = strlen(words[word]);
    memcpy(out, words[word], n);
  } else if (kind == 3) { /* a NUL is a byte like any other */
    n = 1 + cb_rng_u64(rng) % 3;
    memset(out, 0, n);
  } else if (kind == 4) {
    n = fill(rng, out, 1 + cb_rng_u64(rng) % (LINE_MAX_BYTES - 2), true);
  } else {
    n = fill(rng, out, 1 + cb_rng_u64(rng) % 100, kind < 7);
  }
  const bool key = out[0] && strchr(KEYS, out[0]) && (n == 1 || (n == 2 && out[1] == '\r'));
  if (key || (n == 1 && out[0] == '\r')) out[0] = 'x';
  return n;
}

/* ---- at the terminal ---- */

static const char one_pull[] =
    "name: one\nkind: friction\ncloth: C\nbody: B\nangles_deg: [45]\nadded_masses_g: [50, 100]\nrepeats: "
    "1\ndirections: forward\n"
    "speed_mm_per_s: 10\ntravel_mm: 10\nzero_s: 0.5\natmosphere: none\ntemperature_degC: "
    "20\nhumidity_percent: 65\nconditioning_h: 1\n"
    "cloth_lot: L\ncloth_side: face\nbody_specimen: S\nspecimen_area_cm2: 80\nwash_state: none\nnote: none\n";

typedef struct bench {
  daq_emulator *e;
  wiretap tap;
  person p;
  cb_rng rng;
} bench;

static int set_up(void **state) {
  char path[400];
  static const char *const cell[][2] = {{"unit: N", "cell: LC-9\n  unit: N"}};
  bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  (void)signal(SIGPIPE, SIG_IGN);
  cbt_folder_set_up(NULL);
  assert_ok(daq_emulator_start(CB_EXE, CB_SOURCE_DIR "/rigs/virtual.yaml", &b->e, err));
  wiretap_open(&b->tap, daq_emulator_stage_port(b->e));
  dt_rig_on(cbt_path("wired.yaml", path), b->tap.host.name, daq_emulator_force_port(b->e), cell, 1);
  cbt_write(cbt_path("one.yaml", path), one_pull);
  cb_rng_init(&b->rng, 2026, 17);
  *state = b;
  return 0;
}

static int tear_down(void **state) {
  bench *b = *state;
  wiretap_close(&b->tap);
  daq_emulator_stop(b->e);
  free(b);
  return cbt_folder_tear_down(NULL);
}

static void begin_run(bench *b, const char *resume) {
  const char *const words[] = {"run", "one.yaml", "--rig", "wired.yaml", "--db", "a.db", resume, NULL};
  person_start(&b->p, words);
}

/* A prompt stands; so many lines are typed, each of which is refused. Nothing moves. */
static void refuse(bench *b, int lines) {
  static char line[LINE_MAX_BYTES + 1];
  size_t moves = wiretap_moves(&b->tap, NULL);
  for (int i = 0; i < lines; i++) {
    size_t n = random_line(&b->rng, line);
    line[n] = '\n';
    person_type(&b->p, line, n + 1);
    person_await(&b->p,
                 "' was typed and is kept nowhere: Enter alone, on an empty line, was wanted; nothing moves "
                 "before it.");
    person_await(&b->p, PROMPT);
  }
  assert_int_equal(waitpid(b->p.pid, NULL, WNOHANG), 0);
  assert_int_equal(wiretap_moves(&b->tap, NULL), moves);
}

/* A thousand lines at the prompt with these words. */
static void hold_out(bench *b, const char *words) {
  person_await(&b->p, words);
  person_await(&b->p, PROMPT);
  refuse(b, LINES);
}

/* Not right behind another line. */
static void press(bench *b, const char *enter) {
  cb_sleep_s(0.25 * cbt_patience());
  person_type(&b->p, enter, strlen(enter));
}

/* ... and then Enter. */
static void besiege(bench *b, const char *words, const char *enter) {
  hold_out(b, words);
  press(b, enter);
}

static void run_prompts(void **state) {
  bench *b = *state;
  begin_run(b, NULL);
  besiege(b, "After Enter the stage homes", "\n");
  hold_out(b, "Put 50 g on the cart.");
  size_t moves = wiretap_moves(&b->tap, NULL);
  assert_int_equal(moves, 2); /* the truth sees moves where there are some: homing, to the begin */
  assert_ok(daq_emulator_load_cart(b->e, 0.05, err));
  press(b, "\r\n");
  besiege(b, "Put 100 g on the cart.", "\n");
  assert_int_equal(person_end(&b->p), 0);
  assert_true(wiretap_moves(&b->tap, NULL) > moves);
}

static void resume_prompts(void **state) {
  bench *b = *state;
  begin_run(b, NULL);
  person_await(&b->p, PROMPT);
  kill(b->p.pid, SIGINT);
  assert_int_equal(person_end(&b->p), 1);
  begin_run(b, "--resume");
  besiege(b, "After Enter the stage homes", "\n");
  besiege(b, "Put 50 g on the cart.", "\n");
  person_await(&b->p, PROMPT);
  kill(b->p.pid, SIGINT);
  assert_int_equal(person_end(&b->p), 1);
}

static void check_prompts(void **state) {
  bench *b = *state;
  const char *const words[] = {"rig", "check", "wired.yaml", "--db", "none.db", NULL};
  person_start(&b->p, words);
  besiege(b, "Take the cart off the link", "\r\n");
  besiege(b, "Put the cart on the link", "\n");
  int code = person_end(&b->p);
  assert_true(code == 0 || code == 3); /* the virtual cart was not loaded as it said: the verdict is another
                                          matter */
  assert_true(wiretap_moves(&b->tap, NULL) > 10);
}

/* Here the prompts precede weights; the stage rests all the time. */
static void calibrate_prompts(void **state) {
  bench *b = *state;
  const char *const words[] = {
      "calibrate", "--rig", "wired.yaml", "--weights", CB_SOURCE_DIR "/rigs/weights-demo.yaml",
      "--db",      "k.db",  "--window-s", "0.5",       NULL};
  person_start(&b->p, words);
  hold_out(b, "Take the cart off the link; no weight hangs");
  assert_ok(daq_emulator_hang_weight(b->e, 0, err));
  press(b, "\n");
  hold_out(b, "Hang 300 g on the load cell");
  kill(b->p.pid, SIGINT);
  assert_int_equal(person_end(&b->p), 1);
  assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
}

/* ---- keys ---- */

static const char two_pulls[] =
    "name: two\nkind: friction\ncloth: C\nbody: B\nangles_deg: [45]\nadded_masses_g: [50, 100, "
    "200]\nrepeats: "
    "1\ndirections: forward\noperator: Mia\n"
    "speed_mm_per_s: 10\ntravel_mm: 10\nzero_s: 0.5\natmosphere: none\ntemperature_degC: "
    "20\nhumidity_percent: 65\nconditioning_h: 1\n"
    "cloth_lot: L\ncloth_side: face\nbody_specimen: S\nspecimen_area_cm2: 80\nwash_state: none\nnote: none\n";

static void type_line(bench *b, const char *line) { press(b, line); }

/* The nth run, from 1. On a busy computer a run may be made again (docs/reference/campaign-file.md): it
 * fails, and is not counted. */
static void expect_run(cb_store *s, size_t nth, cb_run_status status, double added_kg) {
  const cb_run_filter all = cb_run_filter_all();
  cb_run *list;
  size_t n, kept = 0;
  assert_ok(cb_store_runs(s, &all, &list, &n, err));
  for (size_t i = 0; i < n; i++)
    if (list[i].status != CB_RUN_FAILED) list[kept++] = list[i];
  assert_true(nth <= kept);
  assert_int_equal(list[nth - 1].status, status);
  assert_near(list[nth - 1].added_mass_kg, added_kg, 1e-12);
  free(list);
}

/* A note, a void with a reason, a repeat and a cell left out; every key does what it says, and only that. */
static void keys_of_a_prompt(void **state) {
  bench *b = *state;
  char path[400];
  cb_store *s;
  cb_correction *list;
  size_t n;
  cbt_write(cbt_path("one.yaml", path), two_pulls);
  begin_run(b, NULL);
  person_await(&b->p, PROMPT);
  type_line(b, "r\n"); /* no key before homing */
  person_await(&b->p, "'r' was typed");
  person_await(&b->p, PROMPT);
  type_line(b, "\n");
  person_await(&b->p, "Put 50 g on the cart.");
  person_await(&b->p, PROMPT);
  const size_t before = wiretap_moves(&b->tap, NULL);
  type_line(b, "v\n");
  person_await(&b->p, "no run was made yet");
  person_await(&b->p, PROMPT);
  type_line(b, "?\n");
  person_await(&b->p, "leaves out what stands above");
  person_await(&b->p, PROMPT);
  assert_int_equal(wiretap_moves(&b->tap, NULL), before);
  assert_ok(daq_emulator_load_cart(b->e, 0.05, err));
  type_line(b, "\n"); /* run 1 */
  person_await(&b->p, "Put 100 g on the cart.");
  person_await(&b->p, PROMPT);
  const size_t after_one = wiretap_moves(&b->tap, NULL);
  type_line(b, "n\n");
  person_await(&b->p, "what: ");
  type_line(b, "?\n");
  person_await(&b->p, "such as the cart squeaked.");
  person_await(&b->p, "what: ");
  type_line(b, "cart squeaked\n");
  person_await(&b->p, " has the note"); /* of the run that was kept: run 1, unless it was made again */
  person_await(&b->p, PROMPT);
  type_line(b, "v\n");
  person_await(&b->p, "why: ");
  type_line(b, "b\n");
  person_await(&b->p, PROMPT);
  assert_int_equal(wiretap_moves(&b->tap, NULL), after_one);
  type_line(b, "r\n"); /* run 2, the 50 g again */
  person_await(&b->p, "Put 100 g on the cart.");
  person_await(&b->p, PROMPT);
  assert_true(wiretap_moves(&b->tap, NULL) > after_one);
  type_line(b, "s\n");
  person_await(&b->p, "Put 200 g on the cart.");
  person_await(&b->p, PROMPT);
  assert_ok(daq_emulator_load_cart(b->e, 0.2, err));
  type_line(b, "\n"); /* run 3 */
  assert_int_equal(person_end(&b->p), 0);
  assert_non_null(strstr(b->p.said, "1 of its runs is left"));
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  expect_run(s, 1, CB_RUN_VOIDED, 0.05);
  expect_run(s, 2, CB_RUN_DONE, 0.05);
  expect_run(s, 3, CB_RUN_DONE, 0.2);
  assert_ok(cb_store_corrections(s, 0, &list, &n, err));
  assert_int_equal(n, 2);
  assert_string_equal(list[0].reason, "cart squeaked");
  assert_int_equal(list[0].run_id, list[1].run_id);
  assert_int_equal(list[1].kind, CB_CORRECTION_VOID);
  assert_string_equal(list[1].operator_name, "Mia");
  free(list);
  assert_ok(cb_store_close(s, err));
  begin_run(b, "--resume");
  person_await(&b->p, PROMPT);
  type_line(b, "\n");
  person_await(&b->p, "Put 100 g on the cart.");
  person_await(&b->p, PROMPT);
  type_line(b, "q\n");
  assert_int_equal(person_end(&b->p), 1);
  assert_non_null(strstr(b->p.said, "stopped at a prompt"));
}

/* ---- questions ---- */

static const char unsaid[] =
    "name: one\nkind: friction\ncloth: C\nbody: B\nangles_deg: [45]\nadded_masses_g: [50]\nrepeats: "
    "1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 10\nzero_s: 0.5\natmosphere: none\n"
    "conditioning_h: 1\ncloth_lot: L\ncloth_side: face\nbody_specimen: S\nwash_state: none\nnote: none\n";

static void answer(bench *b, const char *question, const char *line) {
  person_await(&b->p, question);
  person_type(&b->p, line, strlen(line));
}

/* A question explains itself, and the one before it comes again with its answer. */
static void questions_take_words(void **state) {
  bench *b = *state;
  char path[400];
  cbt_write(cbt_path("one.yaml", path), unsaid);
  begin_run(b, NULL);
  answer(b, "bench [degC]: ", "?\n");
  answer(
      b,
      "bench shows now. Wanted: a number from -50 to 100, in degC unless a unit follows, such as 20.5. Enter",
      "");
  answer(b, "bench [degC]: ", "b\n");
  answer(b, "this is the first question\n  Temperature of the air at the bench [degC]: ", "200\n");
  answer(b, "temperature_degC", "20.5\n");
  answer(b, "bench [%]: ", "6\n");
  answer(b, "specimen [cm2]: ", "<\n");
  answer(b, "bench [%] (Enter: stays 6): ", "65\n");
  answer(b, "specimen [cm2]: ", "back\n");
  answer(b, "bench [%] (Enter: stays 65): ", "back\n");
  answer(b, "bench [degC] (Enter: stays 20.5): ", "\n");
  answer(b, "bench [%] (Enter: stays 65): ", "\n");
  answer(b, "specimen [cm2]: ", "1 kg\n");
  answer(b, "specimen_area_cm2 = '1 kg': a number in cm2 was wanted, or in one of m2", "0.008 m2\n");
  person_await(&b->p, PROMPT);
  type_line(b, "q\n");
  assert_int_equal(person_end(&b->p), 1);
  cbt_result r;
  cbt_run(&r, cbt_folder, "db show 1 --db a.db");
  const char *const kept[] = {"20.5", "65", "80"};
  for (size_t i = 0; i < 3; i++)
    if (!strstr(r.out, kept[i])) fail_msg("'%s' is not in: %s%s", kept[i], r.out, r.err);
}

/* Nothing moved and nothing is stored. */
static void a_question_is_left(void **state) {
  bench *b = *state;
  char path[400];
  cbt_write(cbt_path("one.yaml", path), unsaid);
  begin_run(b, NULL);
  answer(b, "bench [degC]: ", "20\n");
  answer(b, "bench [%]: ", "q\n");
  assert_int_equal(person_end(&b->p), 1);
  assert_non_null(
      strstr(b->p.said, "clothbench run: stopped at a question: nothing of this campaign was measured"));
  assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
  cbt_result r;
  cbt_run(&r, cbt_folder, "db ls --db a.db");
  assert_null(strstr(r.out, "campaign"));
}

/* ---- what was typed before the prompt was there ---- */

static void expect_no_move_for(bench *b, double seconds) {
  size_t moves = wiretap_moves(&b->tap, NULL);
  assert_false(person_listen(&b->p, seconds));
  assert_int_equal(waitpid(b->p.pid, NULL, WNOHANG), 0);
  assert_int_equal(wiretap_moves(&b->tap, NULL), moves);
}

/* Enter five times at the first prompt: the second one waits for an Enter of its own. */
static void typed_ahead(void **state) {
  bench *b = *state;
  begin_run(b, NULL);
  person_await(&b->p, PROMPT);
  person_type(&b->p, "\n\n\n\n\n", 5);
  person_await(&b->p, "Put 50 g on the cart.");
  person_await(&b->p, PROMPT);
  expect_no_move_for(b, 0.5);
  /* A text with empty lines that was pasted: its first line is refused, and the rest of it goes the same
   * way. */
  person_type(&b->p, "note: sample slipped\n\n\n", 23);
  person_await(&b->p, "'note: sample slipped' was typed");
  person_await(&b->p, PROMPT);
  expect_no_move_for(b, 0.5);
  /* The same in pieces, the rest behind the prompt that comes again. */
  person_type(&b->p, "note:\n", 6);
  person_await(&b->p, "'note:' was typed");
  person_await(&b->p, PROMPT);
  for (int i = 0; i < 20; i++) {
    person_type(&b->p, "\n", 1);
    person_await(&b->p,
                 "An empty line right behind another one is taken for a part of it: Enter alone was wanted.");
    person_await(&b->p, PROMPT);
  }
  expect_no_move_for(b, 0.5);
  /* Half a line before the signal is none. */
  person_type(&b->p, "half", 4);
  expect_no_move_for(b, 0.2);
  kill(b->p.pid, SIGINT);
  assert_int_equal(person_end(&b->p), 1);
}

/* ---- the end of the input ---- */

static void cooked(const dt_pty *t) {
  struct termios s;
  assert_int_equal(tcgetattr(t->slave, &s), 0);
  s.c_lflag |= ICANON;
  s.c_iflag |= ICRNL;
  assert_int_equal(tcsetattr(t->slave, TCSANOW, &s), 0);
}

/* Ctrl-D on an empty line, behind half a line, and a terminal that goes away: orderly, as Ctrl-C. */
static void input_ends(void **state) {
  bench *b = *state;
  static const char *const ends[] = {"\x04", "half\x04\x04", NULL};
  for (size_t i = 0; i < 3; i++) {
    begin_run(b, NULL);
    cooked(&b->p.terminal);
    person_await(&b->p, PROMPT);
    if (ends[i])
      person_type(&b->p, ends[i], strlen(ends[i]));
    else
      dt_pty_unplug(&b->p.terminal);
    assert_int_equal(person_end(&b->p), 1);
    assert_non_null(strstr(b->p.said, "clothbench run: stopped: standard input has ended\n"));
    assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
  }
}

/* What a terminal sends for Enter: a carriage return, of which the line discipline makes a line feed. */
static void carriage_return(void **state) {
  bench *b = *state;
  begin_run(b, NULL);
  cooked(&b->p.terminal);
  person_await(&b->p, PROMPT);
  person_type(&b->p, "no\r", 3);
  person_await(&b->p, "'no' was typed");
  person_await(&b->p, PROMPT);
  assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
  press(b, "\r");
  person_await(&b->p, "Put 50 g on the cart.");
  assert_true(wiretap_moves(&b->tap, NULL) > 0);
  kill(b->p.pid, SIGTERM);
  assert_int_equal(person_end(&b->p), 1);
}

/* ---- a pipe, which cannot be flushed ---- */

/* The status of a prompt that reads these bytes, and what is left of them then. */
static cb_status confirm_of(const char *bytes, size_t n, size_t *left, cb_err *why) {
  int ends[2], input = dup(0), words = dup(2), null = open("/dev/null", O_WRONLY);
  char rest[65536];
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], bytes, n), n);
  close(ends[1]);
  assert_true(dup2(ends[0], 0) == 0 && dup2(null, 2) == 2);
  cb_status st = cli_person_confirm(NULL, "Well?", why);
  ssize_t got = read(0, rest, sizeof rest);
  *left = got > 0 ? (size_t)got : 0;
  assert_true(dup2(input, 0) == 0 && dup2(words, 2) == 2);
  close(ends[0]);
  close(input);
  close(words);
  close(null);
  return st;
}

static void of_a_pipe(void **state) {
  (void)state;
  static char lines[60000];
  cb_rng rng;
  cb_err why = {""};
  size_t n = 0, left;
  cb_rng_init(&rng, 2026, 18);
  assert_int_equal(confirm_of("\nx", 2, &left, &why), CB_OK);
  assert_int_equal(left, 1);
  assert_int_equal(confirm_of("\r\nx", 3, &left, &why), CB_OK);
  assert_int_equal(confirm_of("\0\n", 2, &left, &why), CB_E_STOPPED);
  assert_string_equal(why.msg, "stopped: standard input has ended");
  assert_int_equal(confirm_of("\r", 1, &left, &why), CB_E_STOPPED);
  assert_int_equal(confirm_of("", 0, &left, &why), CB_E_STOPPED);
  /* As much as a pipe holds, without a line feed. */
  memset(lines, 'x', sizeof lines);
  assert_int_equal(confirm_of(lines, sizeof lines, &left, &why), CB_E_STOPPED);
  /* Lines, and then the empty one: not a byte more is taken than that. */
  while (n < sizeof lines - LINE_MAX_BYTES - 5) {
    n += random_line(&rng, lines + n);
    lines[n++] = '\n';
  }
  assert_int_equal(confirm_of(lines, n, &left, &why), CB_E_STOPPED);
  memcpy(lines + n, "\r\nabc", 5);
  assert_int_equal(confirm_of(lines, n + 5, &left, &why), CB_OK);
  assert_int_equal(left, 3);
}

int main(void) {
#define AT_THE_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      AT_THE_BENCH(run_prompts),          AT_THE_BENCH(resume_prompts),     AT_THE_BENCH(keys_of_a_prompt),
      AT_THE_BENCH(questions_take_words), AT_THE_BENCH(a_question_is_left), AT_THE_BENCH(check_prompts),
      AT_THE_BENCH(calibrate_prompts),    AT_THE_BENCH(typed_ahead),        AT_THE_BENCH(input_ends),
      AT_THE_BENCH(carriage_return),      cmocka_unit_test(of_a_pipe)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
