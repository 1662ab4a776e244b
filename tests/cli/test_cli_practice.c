/* clothbench run --practice: the whole dialogue, a pull that sticks in it, and nothing is left behind. */
#include "persontest.h"

#include <dirent.h>

#define PROMPT "Ctrl-C stops): "
#define QUESTIONS 10 /* of air and specimens */
#define PROMPTS 5    /* to home, and for two angles with two loads */

static const char *const questions[QUESTIONS] = {
    "bench [degC]: ", "bench [%]: ",   "none): ",          "atmosphere [h]: ", "the cloth: ",
    "back): ",        "of the body: ", "specimen [cm2]: ", "and how: ",        "worth a note: "};

static bool is_left_behind(const char *folder) {
  bool found = false;
  DIR *d = opendir(folder);
  assert_non_null(d);
  for (const struct dirent *e; (e = readdir(d));)
    found = found || strncmp(e->d_name, "clothbench-practice", 19) == 0;
  (void)closedir(d);
  return found;
}

/* Not right behind another line. */
static void press_enter(person *p) {
  cb_sleep_s(0.25 * cbt_patience());
  person_type(p, "\n", 1);
}

/* Whoever presses Enter at every prompt comes to the end: one to home, one for each angle and load. */
static void the_dialogue(void **state) {
  (void)state;
  static person p;
  const char *const words[] = {"run", "--practice", NULL};
  assert_int_equal(setenv("TMPDIR", cbt_folder, 1), 0);
  person_start(&p, words);
  assert_int_equal(unsetenv("TMPDIR"), 0);
  person_await(&p, "this is practice");
  assert_true(is_left_behind(cbt_folder)); /* while it lasts */
  for (int i = 0; i < QUESTIONS; i++) {
    person_await(&p, questions[i]);
    press_enter(&p);
  }
  for (int i = 0; i < PROMPTS; i++) {
    person_await(&p, PROMPT);
    press_enter(&p);
  }
  assert_int_equal(person_end(&p), 0);
  assert_non_null(strstr(p.said, "1 never-slid: the sled never slid"));
  assert_false(is_left_behind(cbt_folder));
}

static void wrong_usage(void **state) {
  (void)state;
  static cbt_result r;
  static const char *const wrong[][2] = {{"run", "or 'run --practice'"},
                                         {"run --practice --db a.db", "--practice keeps nothing"},
                                         {"run --practice --yes", "asks everything"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    cbt_run(&r, cbt_folder, wrong[i][0]);
    if (r.code != 2 || !strstr(r.err, wrong[i][1])) fail_msg("%s: %d %s", wrong[i][0], r.code, r.err);
  }
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(the_dialogue), T(wrong_usage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
