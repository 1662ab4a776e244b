/* clothbench run --extend: a finished campaign gets more cells, signed, and goes on as one that was not
 * finished. */
#include "clitest.h"

#define RUN "run small.yaml --rig " CB_SOURCE_DIR "/rigs/virtual.yaml --db lab.db --yes "

static void put_plan(const char *more) {
  char text[500];
  (void)snprintf(text, sizeof text,
                 "name: small\nkind: friction\ncloth: Demo Twill\nbody: Demo Foam\nangles_deg: [0]\n"
                 "added_masses_g: [50]\nrepeats: 1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 15\n"
                 "zero_s: 0.5\noperator: Ada\n%s",
                 more);
  clit_put("small.yaml", text);
}

static void more_of_all(void **state) {
  (void)state;
  put_plan("");
  clit_expect(RUN "--extend --repeats 2", 1, "", "no campaign 'small' with exactly this plan");
  clit_expect(RUN "", 0, "", "1 run in");
  clit_expect(RUN "--extend --repeats 2 --angles 45,0 --loads '0.2 kg'", 0, "",
              "campaign 1 'small': 7 runs in");
  clit_expect(
      "db query \"SELECT count(*), count(DISTINCT campaign_id) FROM v_run WHERE status = 'done'\" "
      "--db lab.db",
      0, "8", "");
  clit_expect("db query \"SELECT text FROM event WHERE kind = 'extend'\" --db lab.db", 0,
              "repeats: 2; angles_deg: 0, 45; added_masses_g: 50, 200; by Ada", "");
  /* A cell of the extension that does not count any more is made again. */
  clit_run("db void 8 --reason slipped --operator Ada --db lab.db", 0);
  clit_expect(RUN "--resume", 0, "", "campaign 1 'small': 1 run in");
  clit_expect(RUN "--resume", 0, "", "campaign 1 'small': 0 runs in");
  clit_expect(RUN "--extend --loads 100", 0, "", "campaign 1 'small': 4 runs in"); /* on top of the other */
  clit_run("report --db lab.db --out page", 0);
  clit_run("db check --db lab.db", 0);
}

/* An extension that breaks off is unfinished, and listed so, until it has come to its end. */
static void broken_off(void **state) {
  (void)state;
  char *text = NULL, *at;
  size_t n;
  put_plan("");
  assert_ok(cb_file_read(CB_SOURCE_DIR "/rigs/virtual.yaml", 1 << 16, &text, &n, err));
  assert_non_null(at = strstr(text, "overload_N: 8"));
  memcpy(at, "overload_N: 2", 13);
  clit_put("weak.yaml", text);
  free(text);
  clit_run(RUN, 0);
  clit_run("run small.yaml --rig weak.yaml --db lab.db --yes --extend --loads 300", 1);
  clit_expect("db ls --db lab.db", 0, "due       campaigns that are unfinished: 1 small", "");
  clit_expect(RUN "--extend --loads 400", 2, "",
              "campaign 1 'small' is unfinished: --resume goes on with it");
  clit_expect(RUN "--resume", 0, "", "campaign 1 'small': 1 run in");
  clit_run("db ls --db lab.db", 0);
  assert_null(strstr(clit_last.out, "unfinished"));
  clit_run("db check --db lab.db", 0);
}

static void what_cannot_be(void **state) {
  (void)state;
  put_plan("");
  clit_run(RUN "", 0);
  clit_expect(RUN "--extend --repeats 0", 1, "", "repeats = 0: must be between 1 and 1000");
  clit_run(RUN "--extend --repeats 3", 0);
  clit_expect(RUN "--extend --repeats 2", 1, "", "repeats = 2: the campaign has 3 already, and keeps them");
  clit_expect(RUN "--extend --angles 0", 2, "", "has all of that: more repeats, angles or loads were wanted");
  clit_expect(RUN "--extend --angles 45 --loads '3 mm'", 1, "", "a number in g was wanted");
  char many[600] = RUN "--extend --loads 1";
  for (int i = 1; i < 60; i++) (void)snprintf(many + strlen(many), 8, ",%d.125", i);
  clit_expect(many, 1, "", "at most 255 are kept: fewer angles and loads");
  clit_expect(RUN "--repeats 4", 2, "", "go with --extend");
  put_plan("cloth_lot: B\n"); /* another file: no campaign of it */
  clit_expect(RUN "--extend --repeats 4", 1, "", "no campaign 'small' with exactly this plan");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(more_of_all), T(broken_off), T(what_cannot_be)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
