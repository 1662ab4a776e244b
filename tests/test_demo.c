/* The whole job once, as ./run demo plays it: rig -> store -> law -> slide -> report. */
#include "cb_store.h"
#include "cbtest.h"

static void the_whole_job(void **state) {
  (void)state;
  static cbt_result r;
  char dir[256], path[300], *html;
  size_t n;
  cb_store *s;
  cbt_scratch(dir);
  cbt_run(&r, dir, "demo");
  if (r.code != 0) fail_msg("exit %d\n%s\n%s", r.code, r.out, r.err);
  assert_non_null(strstr(r.err, "slides agree with their prediction"));
  assert_non_null(strstr(r.out, "clothbench-demo/campaign-1-demo.html"));
  (void)snprintf(path, sizeof path, "%s/clothbench-demo/campaign-1-demo.html", dir);
  assert_ok(cb_file_read(path, (size_t)64 << 20, &html, &n, err));
  assert_non_null(strstr(html, "VIRTUAL DATA"));
  free(html);
  (void)snprintf(path, sizeof path, "%s/clothbench-demo/demo.db", dir);
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  cb_store_tally tally;
  assert_ok(cb_store_check(s, &tally, err));
  assert_true(tally.n_chunks > 0 && tally.n_tails == 0);
  assert_ok(cb_store_close(s, err));
  cbt_remove(dir);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_whole_job)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
