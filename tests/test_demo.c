/* The whole job once, as ./run demo plays it: rig -> store -> law -> slide -> report. */
#include "cb_store.h"
#include "cbtest.h"

static void the_whole_job(void **state) {
  (void)state;
  static cbt_result r;
  char path[400];
  cb_store *s;
  cbt_run(&r, cbt_folder, "demo");
  if (r.code != 0) fail_msg("exit %d\n%s\n%s", r.code, r.out, r.err);
  assert_non_null(strstr(r.err, "slides agree with their prediction"));
  assert_non_null(strstr(r.out, "clothbench-demo/campaign-1-demo.html"));
  char *html = cbt_read(cbt_path("clothbench-demo/campaign-1-demo.html", path));
  assert_non_null(strstr(html, "VIRTUAL DATA"));
  free(html);
  assert_ok(cb_store_open(cbt_path("clothbench-demo/demo.db", path), CB_STORE_READ, &s, err));
  cb_store_tally tally;
  assert_ok(cb_store_check(s, &tally, err));
  assert_true(tally.n_chunks > 0 && tally.n_tails == 0);
  assert_ok(cb_store_close(s, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_whole_job)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
