/* One computed cell among tenths: every reader of tables tells it, and the law is that of a table with 0.0 in
 * its place. */
#include "clitest.h"

/* As it was written, and as it was computed. */
typedef const char *const cell[2];
static cell zero = {"0.0", "1.7763568394002505e-15"};
/* A friction force is > 0. */
static cell ten = {"10.2", "10.2000001"};

/* Puts a table whose text has one %s, with the cell as it was written and as it was computed; imports each
 * into its own file. Only the second warns. */
static void import_both(const char *kind, const char *map, const char *table, cell f) {
  char odd[200];
  (void)snprintf(
      odd, sizeof odd,
      "f = %s has more decimals than its column (1 cell): the digit of the column is taken as 0.1\n", f[1]);
  char text[4096], args[200];
  clit_put("map.yaml", map);
  for (int k = 0; k < 2; k++) {
    (void)snprintf(text, sizeof text, table, f[k]);
    clit_put(k ? "odd.csv" : "even.csv", text);
    (void)snprintf(args, sizeof args, "import %s --mapping map.yaml %s --db %d.db --json", kind,
                   k ? "odd.csv" : "even.csv", k);
    clit_run(args, 0);
    clit_says(args, "stderr", clit_last.err, k ? odd : "");
    char *said = clit_get(".out");
    odd[strcspn(odd, "\n")] = '\0';
    assert_non_null(strstr(said, k ? odd : "\"warning\": null"));
    free(said);
  }
}

static void stretch(void **state) {
  (void)state;
  char table[2048] = "m,d,e,f\n";
  for (int d = 0; d <= 90; d += 45)
    for (int i = 0; i < 5; i++) {
      const double e[] = {0, 0.01, 0.02, 0.04, 0.08};
      char row[64];
      (void)snprintf(row, sizeof row, i || d ? "A,%d,%g,%.1f\n" : "A,%d,%g,%%s\n", d, e[i],
                     1000 * e[i] + 4000 * e[i] * e[i]);
      strcat(table, row);
    }
  import_both("stretch",
              "kind: stretch\nsource: invented\ncolumns:\n  material: {column: m}\n"
              "  direction: {column: d, unit: deg}\n  strain: {column: e, unit: \"1\"}\n"
              "  force_per_width: {column: f, unit: N/m}\n  width: {value: 50, unit: mm}\n"
              "  length: {value: 200, unit: mm}\n",
              table, zero);
  clit_run("fit stretch --cloth A --json --db 0.db", 0);
  char *even = clit_get(".out");
  clit_run("fit stretch --cloth A --json --db 1.db", 0);
  char *odd = clit_get(".out");
  assert_non_null(strstr(even, "\"directions\""));
  const char *from = strstr(even, "\"directions\""), *same = strstr(odd, "\"directions\"");
  assert_string_equal(same, from);
  free(even);
  free(odd);
}

static void bending(void **state) {
  (void)state;
  import_both("bending-moment",
              "kind: bending-moment\nsource: invented\ncolumns:\n  material: {value: B}\n"
              "  direction: {value: 0, unit: deg}\n  curvature: {column: k, unit: 1/cm}\n"
              "  moment_per_width: {column: f, unit: gf cm/cm}\n",
              "k,f\n0,%s\n0.5,0.4\n1,0.8\n1.5,1.2\n2,1.6\n2.5,2.0\n", zero);
}

static void permeability(void **state) {
  (void)state;
  import_both("permeability",
              "kind: permeability\nsource: invented\ncolumns:\n  material: {value: P}\n"
              "  pressure: {column: p, unit: Pa}\n  velocity: {column: f, unit: mm/s}\n",
              "p,f\n10,%s\n50,10.1\n100,19.8\n150,30.3\n200,40.1\n", zero);
}

static void friction(void **state) {
  (void)state;
  import_both("friction",
              "kind: friction\nsource: invented\ncolumns:\n  cloth: {value: F}\n  body: {value: Steel}\n"
              "  direction: {column: d, unit: deg}\n  normal_force: {value: 1, unit: N}\n"
              "  force: {column: f, unit: N}\n",
              "d,f\n0,%s\n0,10.4\n45,11.1\n45,11.9\n90,12.3\n90,12.8\n", ten);
}

static void readings_of_a_cell(void **state) {
  (void)state;
  import_both(
      "friction",
      "kind: kinetic\nsource: invented\ngravity_m_per_s2: 9.81\ncontact_area_cm2: 50\nspeed_mm_per_s: 1\n"
      "calibration: {reading_unit: mV, reading: 100, mass_g: 100, u_rel: 0.01}\n"
      "columns: {cloth: c, body: b, angle_deg: d, cart_mass_g: w, added_mass_g: a, reading: f}\n",
      "c,b,d,w,a,f\nF,S,0,10,90,%s\nF,S,0,10,90,10.4\nF,S,45,10,90,11.1\nF,S,90,10,90,12.7\n", ten);
}

static void trace(void **state) {
  (void)state;
  import_both("trace",
              "kind: trace\nsource: invented\ncolumns:\n  cloth: {value: F}\n  body: {value: S}\n"
              "  time: {column: t, unit: s}\n  force: {column: f, unit: N}\n"
              "  normal_force: {value: 1, unit: N}\n  area: {value: 50, unit: cm2}\n  position: {column: s, "
              "unit: mm}\n",
              "t,f,s\n0,%s,0\n1,0.1,0\n2,0.3,1\n3,0.5,2\n4,0.4,3\n5,0.5,4\n6,0.6,5\n", zero);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {
      T(stretch), T(bending), T(permeability), T(friction), T(readings_of_a_cell), T(trace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
