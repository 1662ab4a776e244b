/* A pull that went wrong, before the eyes of the person: the prompt names it, the person makes it again, and
 * the law is the same to the last bit whether it was voided or kept. */
#include "persontest.h"

#include <signal.h>

#include "clitest.h"
#include "daq_emulator.h"
#include "lab_watch.h"

#define PROMPT "Ctrl-C stops): "
#define SPEED \
  { "time_scale: 40", "time_scale: 10" }

/* Light enough that every sound pull has a plateau, and so short that a glued cart does not reach the limit
 * of the force. */
static const char plan[] =
    "name: again\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0, 45, 90]\nadded_masses_g: [100, 200, "
    "300]\n"
    "repeats: 1\ndirections: forward\noperator: Mia\nspeed_mm_per_s: 10\ntravel_mm: 15\nzero_s: 0.5\n"
    "atmosphere: none\ntemperature_degC: 20\nhumidity_percent: 65\nconditioning_h: 1\ncloth_lot: L\n"
    "cloth_side: face\nbody_specimen: S\nspecimen_area_cm2: 80\nwash_state: none\nnote: none\n";

/* ---- the bench, with its third pull glued ---- */

static daq_emulator *start_bench(void) {
  static const char *const slower[][2] = {SPEED};
  char path[400], script[1200];
  dt_rig_with(cbt_path("bench.yaml", path), slower, 1);
  cbt_write(cbt_path("faults.yaml", path), "seed: 1\nmishaps:\n  - {kind: glued, at_pull: 3}\n");
  (void)snprintf(script, sizeof script, "#!/bin/sh\nexec '%s' \"$@\" --faults '%s'\n", CB_EXE, path);
  cbt_write(cbt_path("emulate", path), script);
  assert_int_equal(chmod(path, 0700), 0);
  daq_emulator *e;
  char rig[400];
  assert_ok(daq_emulator_start(path, cbt_path("bench.yaml", rig), &e, err));
  dt_rig_on(cbt_path("wired.yaml", path), daq_emulator_stage_port(e), daq_emulator_force_port(e), slower, 1);
  return e;
}

/* ---- the person ---- */

static void press(const person *p, const char *key) {
  cb_sleep_s(0.25 * cbt_patience()); /* not right behind another line */
  person_type(p, key, strlen(key));
}

/* What the prompt asks for is done. */
static void obey(daq_emulator *e, const char *asked) {
  double angle_deg, mass_g;
  const char *turn = strstr(asked, "Turn the sample to "), *put = strstr(asked, "Put ");
  if (turn && sscanf(turn, "Turn the sample to %lf", &angle_deg) == 1)
    assert_ok(daq_emulator_turn_sample(e, angle_deg, err));
  if (put && sscanf(put, "Put %lf g", &mass_g) == 1) assert_ok(daq_emulator_load_cart(e, 1e-3 * mass_g, err));
}

/* While the prompt stands: the page says the same. */
static void expect_page(void) {
  char path[400];
  cb_store *s;
  json_t *doc;
  lab_verdicts v = {.n = 0};
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(lab_watch_json(s, &v, &doc, err));
  const json_t *verdict = json_object_get(doc, "verdict");
  assert_string_equal(json_string_value(json_object_get(verdict, "validity")), "invalid");
  assert_non_null(strstr(json_string_value(json_object_get(verdict, "sentence")), "the sled never slid"));
  assert_non_null(strstr(json_string_value(json_object_get(verdict, "advice")), "a longer travel"));
  const char *count = json_string_value(json_object_get(doc, "verdicts"));
  assert_non_null(strstr(count, "1 of "));
  assert_non_null(strstr(count, " pulls is invalid: never slid"));
  json_decref(doc);
  lab_verdicts_clear(&v);
  assert_ok(cb_store_close(s, err));
}

/* Answers prompts to the end of the campaign; 'r' where it is offered. Returns how often. */
static size_t measure(daq_emulator *e, person *p) {
  size_t again = 0, from = 0;
  for (;;) {
    char *at;
    while (!(at = strstr(p->said + p->read, PROMPT)))
      if (!person_listen(p, CBT_HANG_S)) return again;
    p->read = (size_t)(at - p->said) + strlen(PROMPT);
    const char *asked = p->said + from;
    if (strstr(asked, "'r' makes it again")) {
      assert_non_null(strstr(asked, "is invalid: the sled never slid"));
      expect_page();
      again++;
      press(p, "r\n");
    } else {
      obey(e, asked);
      press(p, "\n");
    }
    from = p->n;
  }
}

/* ---- the law ---- */

/* Only what the runs are, not what was counted. */
static char *law_of(const char *db, size_t invalid) {
  static const char *const counts[] = {"pulls", "pulls_invalid", "faults", "runs_without_force", "law_id"};
  char args[120];
  (void)snprintf(args, sizeof args, "fit friction --cloth C --body B --json --db %s", db);
  json_t *doc = clit_json(args, 0, "fit friction"), *stat = json_object_get(doc, "static");
  assert_int_equal(json_integer_value(json_object_get(doc, "pulls_invalid")), invalid);
  assert_int_equal(json_integer_value(json_object_get(doc, "pulls")), 9 + invalid);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    (void)json_object_del(doc, counts[i]);
    (void)json_object_del(stat, counts[i]);
  }
  char *text = json_dumps(doc, JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
  json_decref(doc);
  return text;
}

static long long voided_run(void) {
  char path[400];
  cb_store *s;
  cb_run *list;
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_int_equal(dt_runs(s, CB_RUN_VOIDED, &list), 1);
  const long long id = list[0].id;
  free(list);
  assert_int_equal(dt_runs(s, CB_RUN_DONE, &list), 9);
  free(list);
  assert_ok(cb_store_close(s, err));
  return id;
}

/* A busy computer makes a run again by itself (docs/reference/campaign-file.md). Where that was the glued
 * one, the person has nothing to answer, and the campaign is made anew. */
static size_t make_campaign(void) {
  static person p;
  const char *const words[] = {"run", "again.yaml", "--rig", "wired.yaml", "--db", "a.db", NULL};
  char path[400];
  (void)unlink(cbt_path("a.db", path));
  daq_emulator *e = start_bench();
  person_start(&p, words);
  const size_t again = measure(e, &p);
  assert_int_equal(person_end(&p), 0);
  daq_emulator_stop(e);
  return again;
}

#define ATTEMPTS 5

static void a_glued_pull_is_made_again(void **state) {
  (void)state;
  char path[400], args[120];
  size_t again = 0;
  (void)signal(SIGPIPE, SIG_IGN);
  cbt_write(cbt_path("again.yaml", path), plan);
  for (int i = 0; i < ATTEMPTS && again == 0; i++) again = make_campaign();
  assert_int_equal(again, 1);
  const long long id = voided_run();
  char *voided = law_of("a.db", 0);
  (void)snprintf(args, sizeof args, "db unvoid %lld 'to see whether it matters' --operator Mia --db a.db",
                 id);
  clit_run(args, 0);
  char *kept = law_of("a.db", 1);
  assert_string_equal(kept, voided);
  clit_expect("fit friction --cloth C --body B --db a.db", 0, "C on B",
              "1 of 10 pulls is invalid, and in no law");
  clit_expect("export points --db a.db --out -", 0, ",invalid,never-slid,done,", "");
  clit_expect("db show C --db a.db", 0, "1 of 10 pulls is invalid: never slid", "");
  clit_run("report --campaign 1 --db a.db --out pages", 0);
  char *page = clit_get("pages/campaign-1-again.html");
  assert_non_null(strstr(page, "<p class=\"note warn\">1 of 10 pulls is invalid: never slid"));
  assert_non_null(strstr(page, "<span class=\"bad\">invalid: never-slid</span>"));
  free(page);
  (void)snprintf(args, sizeof args,
                 "db amend %lld --set verdict=doubtful 'it slid, I saw it' --operator Mia --db a.db", id);
  clit_run(args, 0);
  json_t *card = clit_json("db show C --json --db a.db", 0, "db show");
  const char *validity =
      json_string_value(json_object_get(json_array_get(json_object_get(card, "laws"), 0), "validity"));
  assert_non_null(strstr(validity, " of 10 pulls "));
  assert_non_null(strstr(validity, " doubtful"));
  assert_null(strstr(validity, "invalid"));
  json_decref(card);
  free(voided);
  free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_glued_pull_is_made_again)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
