/* The same eight readings in the forms in which spreadsheets, loggers and machines write them: import and
 * import --guess read them alike, or say in one sentence why not. */
#include "cb_store_material_test.h"
#include "clitest.h"

#define HEAD "kind: stretch\nmethod: strip\nsource: own\n"
#define COLUMNS(x, y)                                                                                     \
  "columns:\n  material: {value: Serge}\n  direction: {value: 0, unit: deg}\n  width: {value: 50, unit: " \
  "mm}\n"                                                                                                 \
  "  length: {value: 200, unit: mm}\n  displacement: {column: \"" x                                       \
  "\", unit: mm}\n"                                                                                       \
  "  force: {column: \"" y "\", unit: N}\n"
#define PLAIN HEAD COLUMNS("Extension (mm)", "Load (N)")

#define BYTES(text) text, sizeof(text) - 1 /* and NUL bytes in it */

typedef struct form {
  const char *name, *mapping, *text;
  size_t n;           /* bytes; 0: those of the text */
  double first, last; /* force [N] */
} form;

/* Rows of two columns: the separator, the decimal mark, the end of a line. */
#define ROWS(s, d, e)                                                                                      \
  "0" s "0" e "0" d "9" s "1" d "25" e "1" d "8" s "2" d "61" e "3" d "1" s "5" d "12" e "4" d "4" s "8" d \
  "03" e "5" d "7" s "11" d "47" e "7" d "2" s "15" d "9" e "9" d "1" s "21" d "3" e
#define SAME(s) ROWS(s, ".", "\n")
#define NUL4 "\0\0\0\0"
#define WIDE(a) a "\0"

static const form forms[] = {
    {"plain", PLAIN, "Extension (mm),Load (N)\n" SAME(","), 0, 0, 21.3},
    {"byte order mark", PLAIN,
     "\xef\xbb\xbf"
     "Extension (mm),Load (N)\r\n" ROWS(",", ".", "\r\n"),
     0, 0, 21.3},
    {"carriage returns", PLAIN, "Extension (mm),Load (N)\r" ROWS(",", ".", "\r"), 0, 0, 21.3},
    {"Ctrl-Z", PLAIN, "Extension (mm),Load (N)\n" SAME(",") "\x1a", 0, 0, 21.3},
    {"NUL tail", PLAIN, BYTES("Extension (mm),Load (N)\n" SAME(",") NUL4 NUL4), 0, 21.3},
    {"separator behind each row", PLAIN, "Extension (mm),Load (N)\n" ROWS(",", ".", ",\n"), 0, 0, 21.3},
    {"separator behind header, too", PLAIN, "Extension (mm),Load (N),,\n" ROWS(",", ".", ",,\n"), 0, 0, 21.3},
    {"told separator", HEAD "decimal_comma: true\nseparator: \";\"\n" COLUMNS("Extension (mm)", "Load (N)"),
     "sep=;\r\nExtension (mm);Load (N)\r\n" ROWS(";", ",", "\r\n"), 0, 0, 21.3},
    {"told separator alone", PLAIN, "sep=|\nExtension (mm)|Load (N)\n" SAME("|"), 0, 0, 21.3},
    {"blanks", PLAIN,
     "Extension (mm)  Load (N)\n   0.000     0.000\n   0.900     1.250\n   9.100    21.300\n", 0, 0, 21.3},
    {"one blank", HEAD "separator: \" \"\n" COLUMNS("Extension (mm)", "Load (N)"),
     "Extension (mm) Load (N)\n" SAME(" "), 0, 0, 21.3},
    {"units below", HEAD COLUMNS("Extension", "Load"), "Extension,Load\n(mm),(N)\n" SAME(","), 0, 0, 21.3},
    {"units in cells", PLAIN, "Extension (mm),Load (N)\n0 mm,0 N\n0.9 mm,1.25N\n9.1 mm,21.3 N\n", 0, 0, 21.3},
    {"minus", PLAIN,
     "Extension (mm),Load (N)\n0,\xe2\x88\x92"
     "0.02\n0.9,1.25\n9.1,21.3\n",
     0, -0.02, 21.3},
    {"thousands", PLAIN, "Extension (mm),Load (N)\n0,0.00\n0.9,\"1,250.00\"\n9.1,\"21,300\"\n", 0, 0, 21300},
    {"thousands between blanks",
     HEAD "decimal_comma: true\nseparator: \";\"\n" COLUMNS("Extension (mm)", "Load (N)"),
     "Extension (mm);Load (N)\n0;1\xc2\xa0"
     "250,5\n0,9;2\xe2\x80\xaf"
     "610\n9,1;21 300\n",
     0, 1250.5, 21300},
    {"thousands with points",
     HEAD "decimal_comma: true\nseparator: \";\"\n" COLUMNS("Extension (mm)", "Load (N)"),
     "Extension (mm);Load (N)\n0;0,0\n0,9;1.250,5\n9,1;21.300\n", 0, 0, 21300},
    {"quoted", PLAIN, "\"Extension (mm)\",\"Load (N)\"\n\"0.0\",\"0.0\"\n\"0.9\",\"1.25\"\n\"9.1\",\"21.3\"",
     0, 0, 21.3},
    {"no line end, all digits there", PLAIN, "Extension (mm),Load (N)\n0.0,0.0\n0.9,1.2\n9.1,21.3", 0, 0,
     21.3},
    {"UTF-16", HEAD COLUMNS("x", "y"),
     BYTES("\xff\xfe" WIDE("x") WIDE(",") WIDE("y") WIDE("\n") WIDE("0") WIDE(",") WIDE("3") WIDE("\n")
               WIDE("9") WIDE(",") WIDE("7") WIDE("\n")),
     3, 7},
    {"UTF-16 without a mark, NUL tail", HEAD COLUMNS("x", "y"),
     BYTES(WIDE("x") WIDE(",") WIDE("y") WIDE("\n") WIDE("0") WIDE(",") WIDE("3") WIDE("\n") WIDE("9")
               WIDE(",") WIDE("7") WIDE("\n") NUL4),
     3, 7},
};

static void put_bytes(const char *text, size_t n) {
  char path[400];
  FILE *f = fopen(cbt_path("table.csv", path), "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n ? n : strlen(text), f), n ? n : strlen(text));
  assert_int_equal(fclose(f), 0);
}

static void expect_forces(const char *db, const form *f) {
  cb_store *store;
  cb_material m;
  cb_material_test *list;
  cb_test_point *points;
  size_t n, n_points;
  char path[400];
  assert_ok(cb_store_open(cbt_path(db, path), CB_STORE_READ, &store, err));
  assert_ok(cb_store_material_find(store, CB_CLOTH, "Serge", &m, err));
  assert_ok(cb_store_tests(store, m.id, CB_TEST_STRETCH, &list, &n, err));
  assert_ok(cb_store_test_points(store, &list[0], &points, &n_points, err));
  assert_true(n == 1 && n_points >= 2);
  assert_near(points[0].y, f->first, 1e-9);
  assert_near(points[n_points - 1].y, f->last, 1e-9);
  assert_near(points[n_points - 1].x, strstr(f->name, "UTF-16") ? 9e-3 : 9.1e-3, 1e-12);
  free(points);
  free(list);
  assert_ok(cb_store_close(store, err));
}

static void every_form_is_read(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    const form *f = &forms[i];
    char words[200], db[20];
    put_bytes(f->text, f->n);
    clit_put("map.yaml", f->mapping);
    (void)snprintf(db, sizeof db, "%zu.db", i);
    (void)snprintf(words, sizeof words, "import stretch --mapping map.yaml table.csv --db %s", db);
    clit_run(words, 0);
    expect_forces(db, f);
    if (!strstr(f->name, "UTF-16"))
      clit_expect("import stretch --guess table.csv", 0, "displacement", "'stretch'");
  }
}

static void what_is_cut_or_doubtful_is_refused(void **state) {
  (void)state;
#define TABLE "Extension (mm),Load (N)\n0,0\n0.9,1.25\n"
  static const struct {
    const char *text;
    size_t n;
    const char *says;
  } refused[] = {
      {TABLE "1.8,2.61\n9.1,2", 0, "table.csv:5: '2': the file ends here, without a line end"},
      {TABLE "1.8,2.61\n9.1,", 0, "table.csv:5: '': the file ends here"},
      {TABLE "1.8,2.61\n9.", 0, "table.csv:5: 1 cell"},
      {"Extension (mm),Load (N)\n0,1250\n1,2610\n2,51", 0, "'51': the file ends here"},
      {BYTES(TABLE "1.8,2." NUL4), "'2.': the file ends here"},
      {BYTES(TABLE NUL4 "1.8,2.61\n"), "table.csv:4: 4 NUL bytes inside"},
      {"Extension (mm),Load (N)\n0,0\n1,2\nExtension (mm),Load (N)\n2,3\n", 0, "table.csv:4"},
      {"Extension (mm),Load (N)\n0,\"1,250\"\n1,\"2,610\"\n", 0, "'1,250': thousands or a fraction?"},
      {"Extension (mm),Load (N)\n0,1 N\n1,2 mN\n", 0, "a number in 'mN', where others are in 'N'"},
      {"Extension (mm),Load (N)\n0,1 cN\n1,2 cN\n", 0, "unit = 'N', but table.csv says 'cN'"},
      {"Extension (mm),Load (N)\nmm,kN\n0,1\n1,2\n", 0, "unit = 'N', but table.csv says 'kN'"},
      {"Extension (mm),Load (N)\n0,1\n1,2 furlongs\n", 0, "table.csv:3: '2 furlongs'"},
      {"Extension (mm),Load (N)\n0,<0.5\n1,2\n", 0, "table.csv:2: Load (N) = '<0.5'"},
  };
  clit_put("map.yaml", PLAIN);
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    put_bytes(refused[i].text, refused[i].n);
    clit_expect("import stretch --mapping map.yaml table.csv --db no.db", 1, "", refused[i].says);
  }
  clit_put("map.yaml", HEAD "encoding: ebcdic\n" COLUMNS("x", "y"));
  clit_expect("import stretch --mapping map.yaml table.csv --db no.db", 1, "", "encoding = 'ebcdic'");
}

static void a_name_is_not_cut(void **state) {
  (void)state;
  clit_put("map.yaml",
           "kind: friction\nsource: own\ncolumns:\n  body: {value: Steel}\n  cloth: {column: cloth}\n"
           "  normal_force: {column: N, unit: N}\n  friction_coefficient: {column: mu, unit: \"1\"}\n");
  clit_put("table.csv", "N,mu,cloth\n1,0.25,Serge\n1,0.26,Ser");
  clit_expect("import friction --mapping map.yaml table.csv --db no.db", 1, "", "'Ser': the file ends here");
  clit_put("table.csv", "N,mu,cloth\n1,0.25,Serge\n1,0.26,Serge");
  clit_run("import friction --mapping map.yaml table.csv --db no.db", 0);
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(every_form_is_read), T(what_is_cut_or_doubtful_is_refused),
                                     T(a_name_is_not_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
