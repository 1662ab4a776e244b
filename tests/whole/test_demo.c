/* The whole job once, as ./run demo plays it: rig and instruments -> store -> laws -> verdicts -> report. */
#include "cb_store.h"
#include "cbtest.h"

static void the_whole_job(void **state) {
  (void)state;
  static cbt_result r;
  char path[400];
  cb_store *s;
  cbt_run(&r, cbt_folder, "demo");
  if (r.code != 0) fail_msg("exit %d\n%s\n%s", r.code, r.out, r.err);
  assert_non_null(strstr(r.out, "clothbench-demo/campaign-1-demo.html"));
  assert_non_null(strstr(r.out, "clothbench-demo/index.html"));
  assert_non_null(strstr(r.out, "hidden truth"));
  const char *verdicts = strstr(r.out, "predicted, measured");
  assert_non_null(verdicts);
  const char *const kinds[] = {"\nsled  ",  "\ncloth slide  ", "\nincline  ", "\nincline, free cloth  ",
                               "\ndrape  ", "\nstack  ",       "\nstrip  ",   "apart from the simulator"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) assert_non_null(strstr(verdicts, kinds[i]));
  char *html = cbt_read(cbt_path("clothbench-demo/campaign-1-demo.html", path));
  assert_non_null(strstr(html, "VIRTUAL DATA"));
  free(html);
  html = cbt_read(cbt_path("clothbench-demo/index.html", path));
  assert_non_null(strstr(html, ">incline, free cloth<"));
  assert_non_null(strstr(html, "apart from the simulator"));
  free(html);
  assert_ok(cb_store_open(cbt_path("clothbench-demo/demo.db", path), CB_STORE_READ, &s, err));
  cb_store_tally tally;
  assert_ok(cb_store_check(s, &tally, err));
  assert_true(tally.n_chunks > 0 && tally.n_tails == 0);
  assert_ok(cb_store_close(s, err));
}

/* After the demo, on its database: a program of 80 lines that knows lab/ and no command. */
static void the_whole_chain_without_commands(void **state) {
  (void)state;
  char command[2000], path[400];
  (void)snprintf(command, sizeof command,
                 "cd '%s' && '%s' clothbench-demo/demo.db '%s/tests/kit/library_drape.yaml' >said",
                 cbt_folder, LIBRARY_EXE, CB_SOURCE_DIR);
  assert_int_equal(system(command), 0);
  char *said = cbt_read(cbt_path("said", path));
  assert_non_null(strstr(said, "predicted 0."));
  assert_non_null(strstr(said, "|E_n| at most"));
  assert_non_null(strstr(said, "drape: 100 steps to 0.5 s\n"));
  free(said);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_whole_job),
                                     cmocka_unit_test(the_whole_chain_without_commands)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
