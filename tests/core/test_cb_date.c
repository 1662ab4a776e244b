/* Dates: the calendar's own rules. */
#include "cb_date.h"
#include "cbtest.h"

static void adds(void **state) {
  (void)state;
  static const struct {
    const char *from;
    double days;
    const char *to;
  } cases[] = {
      {"2026-11-21", 0, "2026-11-21"},   {"2026-11-21", 10, "2026-12-01"},
      {"2026-12-31", 1, "2027-01-01"},   {"2026-02-28", 1, "2026-03-01"},
      {"2028-02-28", 1, "2028-02-29"},   {"2100-02-28", 1, "2100-03-01"},
      {"2000-02-28", 1, "2000-02-29"},   {"2026-01-01", 365, "2027-01-01"},
      {"2024-01-01", 365, "2024-12-31"}, {"2026-11-21T08:00:00.000Z", 1.9, "2026-11-22"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char out[CB_DATE_SIZE];
    assert_ok(cb_date_add(cases[i].from, cases[i].days, "d", out, err));
    assert_string_equal(out, cases[i].to);
  }
}

static void refuses(void **state) {
  (void)state;
  const char *const wrong[] = {"",         "2026",       "2026-13-01",  "2026-00-10", "2026-02-29",
                               "2026-2-1", "21.11.2026", "2026-11-211", "0000-01-01"};
  char out[CB_DATE_SIZE];
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_fails(CB_E_PARSE, "valid_from = '", cb_date_add(wrong[i], 1, "valid_from", out, err));
  assert_fails(CB_E_RANGE, "no calendar goes on", cb_date_add("9999-12-30", 2, "d", out, err));
  cb_date_today(out);
  assert_ok(cb_date_add(out, 0, "today", out, err));
}

/* The day of a certificate is that of its place: 14 hours east of Greenwich it is another one than 12 hours
 * west. */
static void today_here(void **state) {
  (void)state;
  static const struct {
    const char *zone;
    int hours;
  } places[] = {{"EAST-14", 14}, {"WEST12", -12}, {"UTC0", 0}};
  for (size_t i = 0; i < 3; i++) {
    const time_t before = time(NULL) + places[i].hours * 3600;
    char out[CB_DATE_SIZE], first[CB_DATE_SIZE], last[CB_DATE_SIZE];
    assert_int_equal(setenv("TZ", places[i].zone, 1), 0);
    cb_date_today(out);
    const time_t after = time(NULL) + places[i].hours * 3600;
    (void)strftime(first, sizeof first, "%Y-%m-%d", gmtime(&before));
    (void)strftime(last, sizeof last, "%Y-%m-%d", gmtime(&after));
    if (strcmp(out, first) != 0) assert_string_equal(out, last);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(adds), cmocka_unit_test(refuses),
                                     cmocka_unit_test(today_here)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
