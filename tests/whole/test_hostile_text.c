/* Texts that would steer a terminal, a script, a table or a page: refused wherever they enter, shown wherever
 * they leave. */
#include "cb_text_impl.h"
#include "clitest.h"
#include "storetest.h"

#include "cb_csv.h"
#include "cb_text.h"
#include "exch_material.h"
#include "exch_cloth_impl.h"

#define ESC "\x1b[31m"

static const char arcsim[] =
    "{\"density\": 0.25,\n"
    " \"stretching\": [[100, 10, 90, 40], [101, 11, 91, 41], [102, 12, 92, 42.1], [103, 13, 93, 43], [104, "
    "-14, 94, 44], [105, 15, 95, "
    "45]],\n"
    " \"bending\": [[24e-6, 25e-6, 26e-6, 27e-6, 28e-6], [29e-6, 30e-6, 31e-6, 32e-6, 33e-6], [34e-6, 35e-6, "
    "36e-6, 37e-6, 38e-6]]}\n";
static const char mapping[] =
    "columns: {cloth: cloth, body: body, angle_deg: angle, cart_mass_g: cart, added_mass_g: added, reading: "
    "mV,"
    " friction_coefficient: mu}\n"
    "calibration: {reading_unit: mV/V, reading: 2.488, mass_g: 200, u_rel: 0.002}\n"
    "gravity_m_per_s2: 9.80665\ncontact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: "
    "3\nkind: kinetic\nsource: s\n";
#define HEADER "cloth,body,angle,cart,added,mV,mu\n"
#define ROWS(cloth)                                                               \
  cloth ",Foam,0,3,97,0.622,0.500\n" cloth ",Foam,45,3,97,0.560,0.450\n" cloth    \
        ",Foam,90,3,97,0.498,0.400\n" cloth ",Foam,0,3,197,1.244,0.500\n" cloth   \
        ",Foam,45,3,197,1.120,0.450\n" cloth ",Foam,90,3,197,0.995,0.400\n" cloth \
        ",Foam,0,3,97,0.622,0.500\n" cloth ",Foam,45,3,97,0.560,0.450\n"

static int set_up(void **state) {
  (void)cbt_folder_set_up(state);
  clit_put("twill.json", arcsim);
  clit_put("map.yaml", mapping);
  clit_put("table.csv", HEADER ROWS("Twill"));
  clit_expect("import material twill.json --format arcsim --name Twill --source \"a book\" --db lab.db", 0,
              "imported", "");
  clit_expect("import friction --mapping map.yaml --db lab.db table.csv", 0, "8 points", "");
  clit_expect("fit friction --cloth Twill --body Foam --db lab.db", 0, "Twill on Foam", "");
  return 0;
}

/* ---- entries ---- */

static void no_sentence_holds_a_control_character(void **state) {
  (void)state;
  cb_err err;
  (void)cb_fail(&err, CB_E_IO, "%s: no", "a\n" ESC "\xc2\x9b\xff\xe2\x80\xae");
  assert_string_equal(err.msg, "a\\x0a\\x1b[31m\\x9b\\xff\\u{202e}: no");
  (void)cb_fail_in(&err, CB_E_IO, "%s", "\r");
  assert_string_equal(err.msg, "\\x0d: a\\x0a\\x1b[31m\\x9b\\xff\\u{202e}: no");
  char longer[600] = "";
  for (size_t i = 0; i + 2 < sizeof longer; i += 2) strcat(longer, "\xc3\xb6");
  (void)cb_fail(&err, CB_E_IO, "a%s", longer);
  assert_true(cb_text_is_line(err.msg) && strlen(err.msg) >= sizeof err.msg - 2);
}

/* Every text of the document in turn gets a control character. */
static void material_files_with_control_characters_are_refused(void **state) {
  (void)state;
  clit_expect("export material Twill --format json --db lab.db --out whole.json", 0, "", "not in this file");
  char *text = clit_get("whole.json");
  size_t n = 0;
  static const char *const texts[] = {
      "\"Twill\"",          "\"a book\"",          "\"Foam\"",      "\"wang\"",        "\"method\": \"",
      "\"created_at\": \"", "\"composition\": \"", "\"weave\": \"", "\"outcome\": \"", "\"program\": \"",
      "\"source\": \""};
  static const char *const bad[] = {"\\n",     "\\u001b", "\\r", "\\u0085", "\\u2028",
                                    "\\u202e", "\\u007f", "\\t", "\x7f",    "\xe2\x80\xa8"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    for (char *at = text; (at = strstr(at, texts[i])); at++)
      for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        exch_material m;
        cb_err err = {""};
        size_t head =
            (size_t)(at - text) + strlen(texts[i]) - (texts[i][strlen(texts[i]) - 2] == ' ' ? 0 : 1);
        char *hostile = malloc(strlen(text) + 20);
        (void)sprintf(hostile, "%.*s%s%s", (int)head, text, bad[k], text + head);
        cb_status st = exch_material_read(hostile, strlen(hostile), "h.json", &m, &err);
        free(hostile);
        if (st == CB_OK) fail_msg("%s with %s was read", texts[i], bad[k]);
        if (!strstr(err.msg, "has a control character"))
          fail_msg("%s with %s: %s", texts[i], bad[k], err.msg);
        n++;
      }
  assert_true(n > 150);
  free(text);
}

static void tables_with_control_characters_are_refused(void **state) {
  (void)state;
  clit_put("esc.csv", HEADER "\"Tw" ESC "ill\",Foam,0,3,97,0.622,0.500\n");
  clit_expect("import friction --mapping map.yaml --db new.db esc.csv", 1, "",
              "esc.csv:2: cloth = 'Tw\\x1b[31mill': has a control character");
  clit_put("lf.csv", HEADER "Twill,\"Fo\nam\",0,3,97,0.622,0.500\n");
  clit_expect("import friction --mapping map.yaml --db new.db lf.csv", 1, "",
              "lf.csv:2: body = 'Fo\\x0aam': has a control character");
  clit_put("latin.csv", HEADER "Tw\xe4ll,Foam,0,3,97,0.622,0.500\n");
  clit_expect("import friction --mapping map.yaml --db new.db latin.csv", 1, "",
              "has a byte that is not UTF-8 (\\xe4)");
  /* In a column that nobody reads they are nobody's business. */
  clit_put("other.csv",
           "note,cloth,body,angle,cart,added,mV,mu\n\"\xb0" ESC "\",Twill,Foam,0,3,97,0.622,0.500\n");
  clit_expect("import friction --mapping map.yaml --db other.db other.csv", 0, "1 point", "");
}

static void mappings_with_control_characters_are_refused(void **state) {
  (void)state;
  char hostile[1000];
  (void)snprintf(hostile, sizeof hostile, "%.*s\"a\\eb\"\n", (int)(strlen(mapping) - 2), mapping);
  clit_put("hostile.yaml", hostile);
  clit_expect("import friction --mapping hostile.yaml --db new.db table.csv", 1, "",
              "hostile.yaml:8: text = 'a\\x1bb': has a control character");
}

/* Every kind of option and argument, in both of its forms. */
static void the_command_line_is_held_to_lines(void **state) {
  (void)state;
  static const char *const args[] = {
      "db ls --db \"$(printf 'a\\033[31m')\"",
      "db ls --db=\"$(printf 'a\\nb')\"",
      "db show \"$(printf 'a\\033[31m')\" --db lab.db",
      "import material twill.json --format arcsim --name \"$(printf 'a\\nb')\" --db lab.db",
      "import material twill.json --format arcsim --name x --source \"$(printf 'a\\tb')\" --db lab.db",
      "export material Twill --format json --db lab.db --out \"$(printf 'a\\nb')\"",
      "db show \"$(printf 'a\\342\\200\\256b')\" --db lab.db",
      "db ls --\"$(printf 'a\\033[31m')\"",
      "\"$(printf 'a\\033[31m')\"",
      "predict friction --cloth Twill --body Foam --angle-deg \"$(printf '1\\n')\"",
  };
  for (size_t i = 0; i < sizeof args / sizeof args[0]; i++) {
    cbt_run(&clit_last, cbt_folder, args[i]);
    if (clit_last.code != 2) fail_msg("%s: exit %d: %s", args[i], clit_last.code, clit_last.err);
    clit_last.err[strcspn(clit_last.err, "\n")] = '\0';
    if (!cb_text_is_line(clit_last.err)) fail_msg("%s: the sentence holds a control character", args[i]);
  }
  assert_int_equal(setenv("CLOTHBENCH_DB", "a\nb", 1), 0);
  clit_expect("db ls", 2, "", "$CLOTHBENCH_DB = 'a\\x0ab': has a control character");
  assert_int_equal(unsetenv("CLOTHBENCH_DB"), 0);
}

/* ---- writers ---- */

static exch_cloth hostile_sheet(const char *text) {
  exch_cloth s = {.areal_density_kg_per_m2 = {0.2, NAN}, .friction = {0.4, 0.01}};
  (void)snprintf(s.name, sizeof s.name, "%s", text);
  (void)snprintf(s.basis, sizeof s.basis, "%s", text);
  (void)snprintf(s.friction_with, sizeof s.friction_with, "%s", text);
  return s;
}

static const char *const hostile[] = {"a\nimport os",
                                      "a\rb",
                                      "coding: utf-7",
                                      ESC,
                                      "=1+1",
                                      "+1",
                                      "-1",
                                      "@x",
                                      "'=1",
                                      "\t=1",
                                      "a,=1",
                                      "a;=1",
                                      "a\",=1",
                                      "a, =1",
                                      "#",
                                      " x ",
                                      "\"",
                                      "\xff",
                                      "a\xc2\x85"
                                      "b",
                                      "\xe2\x80\xa8",
                                      "|x",
                                      "a\t=1"};
#define N_HOSTILE (sizeof hostile / sizeof hostile[0])

static void a_preset_is_ours_line_by_line(void **state) {
  (void)state;
  for (size_t i = 0; i < N_HOSTILE; i++) {
    exch_cloth s = hostile_sheet(hostile[i]);
    char *text, *rest = NULL;
    assert_ok(exch_blender_write(&s, NULL, &text, err));
    if (strncmp(text, "# -*- coding: utf-8 -*-\n# Cloth settings for Blender.\n# ", 56) != 0)
      fail_msg("the first lines are not ours: %s", text);
    if (cb_check_lines(text, "text", NULL) != CB_OK || strchr(text, '\r'))
      fail_msg("'%s': control characters in the preset", hostile[i]);
    const size_t n = strlen(text), shared = strlen(exch_blender_script);
    if (n < shared || strcmp(text + n - shared, exch_blender_script) != 0)
      fail_msg("not our script: %s", text);
    text[n - shared] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
      if (line[0] != '#' && strncmp(line, "areal_density = ", 16) != 0 &&
          strncmp(line, "tension = ", 10) != 0 && strncmp(line, "shear = ", 8) != 0 &&
          strncmp(line, "bending = ", 10) != 0 && strncmp(line, "terminal_speed = ", 17) != 0 &&
          strcmp(line, "passport = []") != 0)
        fail_msg("not our line: %s", line);
    free(text);
  }
}

/* As a spreadsheet reads it: cut at either separator outside of quotes, blanks off. */
static void expect_no_formulas(const char *table, const char *what) {
  bool quoted = false;
  const char *begin = table;
  for (const char *c = table;; c++) {
    if (*c == '"' && (quoted || c == begin)) quoted = !quoted; /* only a cell's first character opens one */
    if (*c == '"' && !quoted && c[1] == '"' && c > begin) quoted = true, c++;
    if (*c && (quoted || !strchr(",;\n", *c))) continue;
    const char *at = begin + (*begin == '"');
    at += strspn(at, " ");
    char *end;
    (void)strtod(at, &end);
    bool number = end > at && end[strspn(end, " \"")] == *c;
    if (at < c && strchr("=+-@\t\r", *at) && !number)
      fail_msg("%s: a cell begins with a formula: %.60s", what, at);
    if (!*c) return;
    begin = c + 1;
  }
}

static void texts_in_tables_are_no_formulas_and_come_back(void **state) {
  (void)state;
  for (size_t i = 0; i < N_HOSTILE; i++) {
    char *table, shown[200];
    size_t n;
    FILE *f = open_memstream(&table, &n);
    cb_csv_put_comment(f, hostile[i]);
    fputs("a,b\n", f);
    cb_csv_put_text(f, hostile[i]);
    fputs(",-1.5\n", f);
    assert_int_equal(fclose(f), 0);
    expect_no_formulas(table, hostile[i]);
    cb_csv_options o = cb_csv_options_default();
    cb_csv *csv;
    assert_ok(cb_csv_parse(table, n, "t.csv", &o, &csv, err));
    assert_string_equal(cb_csv_cell(csv, 0, 0), cb_text_show(hostile[i], shown, sizeof shown));
    assert_string_equal(cb_csv_cell(csv, 0, 1), "-1.5");
    cb_csv_free(csv);
    free(table);
    exch_cloth s = hostile_sheet(hostile[i]);
    assert_ok(exch_clo_table_write(&s, &table, err));
    expect_no_formulas(table, hostile[i]);
    free(table);
  }
}

/* Any text at all, seeded: lines come back as they were. */
static void random_texts_come_back_from_a_table(void **state) {
  (void)state;
  static const char letters[] = "=+-@',;\"# \tab1\xc3\xb6";
  uint32_t seed = 7;
  size_t lines = 0;
  for (int round = 0; round < 20000; round++) {
    char text[12], shown[100], *table;
    size_t n, length = (seed = seed * 1664525u + 1013904223u) >> 29;
    for (size_t i = 0; i < length; i++)
      text[i] = letters[((seed = seed * 1664525u + 1013904223u) >> 16) % (sizeof letters - 1)];
    text[length] = '\0';
    FILE *f = open_memstream(&table, &n);
    fputs("a,b\n", f);
    cb_csv_put_text(f, text);
    fputs(",1\n", f);
    assert_int_equal(fclose(f), 0);
    expect_no_formulas(table, text);
    cb_csv_options o = cb_csv_options_default();
    cb_csv *csv;
    assert_ok(cb_csv_parse(table, n, "t.csv", &o, &csv, err));
    assert_string_equal(cb_csv_cell(csv, 0, 0), cb_text_show(text, shown, sizeof shown));
    lines += cb_text_is_line(text) && strcmp(cb_csv_cell(csv, 0, 0), text) == 0;
    cb_csv_free(csv);
    free(table);
  }
  assert_true(lines > 5000);
}

/* ---- a database that somebody changed with sqlite3 ---- */

/* Every column of text that lets itself be changed; in JSON, the texts inside. */
static void make_hostile(const char *db, bool names) {
  sqlite3 *h;
  sqlite3_stmt *q;
  int changed = 0;
  char sql[800];
  assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
  assert_int_equal(
      sqlite3_exec(h, "PRAGMA ignore_check_constraints = 0; PRAGMA foreign_keys = 0", NULL, NULL, NULL),
      SQLITE_OK);
  assert_int_equal(sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(h,
                                      "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) "
                                      "c WHERE m.type = 'table' AND c.type = 'TEXT'"
                                      " AND c.name NOT IN ('uuid', 'unit', 'kind', 'origin', 'form', "
                                      "'model', 'channel', 'status', 'fingerprint', 'conversion')",
                                      -1, &q, NULL),
                   SQLITE_OK);
  while (sqlite3_step(q) == SQLITE_ROW) {
    const char *table = (const char *)sqlite3_column_text(q, 0),
               *column = (const char *)sqlite3_column_text(q, 1);
    if (!names && strcmp(table, "material") == 0 && strcmp(column, "name") == 0) continue;
    (void)snprintf(sql, sizeof sql,
                   "UPDATE \"%s\" SET \"%s\" = CASE WHEN substr(\"%s\", 1, 1) IN ('{', '[') THEN "
                   "replace(\"%s\", '\": \"', '\": \"\\u001b[31m\\u009b')"
                   " ELSE \"%s\" || char(27) || '[31m' || char(10) || char(8238) || '=1+1' END",
                   table, column, column, column, column);
    changed += sqlite3_exec(h, sql, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(h) > 0;
  }
  sqlite3_finalize(q);
  assert_int_equal(sqlite3_close(h), SQLITE_OK);
  if (changed < 8) fail_msg("only %d columns were changed", changed);
}

static void expect_plain(const char *args, const char *stream, char *text) {
  if (cb_check_lines(text, "text", NULL) != CB_OK || strchr(text, '\r'))
    fail_msg("%s: %s holds a control character", args, stream);
}

static void run_all(const char *const args[], size_t n) {
  for (size_t i = 0; i < n; i++) {
    cbt_run(&clit_last, cbt_folder, args[i]);
    if (clit_last.code > 3) fail_msg("%s: exit %d", args[i], clit_last.code);
    expect_plain(args[i], "stdout", clit_last.out);
    expect_plain(args[i], "stderr", clit_last.err);
  }
}

/* Every file that the commands made. */
static void expect_plain_files(const char *pattern) {
  char command[600];
  (void)snprintf(command, sizeof command,
                 "cd '%s' && for f in %s; do test -e \"$f\" || continue; ! LC_ALL=C grep -q \"$(printf "
                 "'[\\001-\\010\\013-\\037\\177]')\" \"$f\""
                 " && ! LC_ALL=C grep -q \"$(printf '\\302[\\200-\\237]\\|\\342\\200\\256')\" \"$f\" || { "
                 "echo \"$f\"; exit 1; }; done",
                 cbt_folder, pattern);
  if (system(command) != 0) fail_msg("a file of %s holds a control character", pattern);
}

static void nothing_of_a_hostile_database_reaches_the_terminal(void **state) {
  (void)state;
  char command[700], path[400];
  static const char *const on_names[] = {"db ls --db names.db",
                                         "db check --db names.db",
                                         "db show 1 --db names.db",
                                         "fit friction --db names.db",
                                         "report --all --db names.db --out names-pages",
                                         "db text names-text --db names.db",
                                         "fit friction --db names.db --json",
                                         "db check --db names.db --json",
                                         "fit permeability --db names.db",
                                         "plot a --db names.db --out names.svg",
                                         "plot c --db names.db --out names-c.svg"};
  static const char *const on_texts[] = {
      "db ls --db texts.db",
      "db show Twill --db texts.db",
      "db show Twill --db texts.db --json",
      "db show Foam --db texts.db",
      "db show 1 --db texts.db",
      "predict friction --cloth Twill --body Foam --angle-deg 30 --normal-force-N 1 --db texts.db",
      "predict friction --cloth Twill --body Foam --angle-deg 30 --normal-force-N 1 --db texts.db --json",
      "predict stretch --cloth Twill --angle-deg 30 --strain-percent 1 --db texts.db",
      "predict bending --cloth Twill --angle-deg 30 --curvature-per-m 10 --db texts.db",
      "fit friction --cloth Twill --body Foam --db texts.db",
      "fit bending --cloth Twill --db texts.db",
      "fit stretch --cloth Twill --db texts.db",
      "calibrate --list --db texts.db",
      "calibrate --show 1 --db texts.db",
      "export material Twill --format json --db texts.db --out texts-e.json",
      "export material Twill --format csv --db texts.db --out texts-e.csv",
      "export material Twill --format blender --db texts.db --out texts-e.py",
      "export material Twill --format clo --db texts.db --out texts-c.csv",
      "export material Twill --format jfab --db texts.db --out texts-e.jfab",
      "export material Twill --format mujoco --db texts.db --out texts-m.xml",
      "export material Twill --format newton --db texts.db --out texts-n.json",
      "export material Twill --format ppf --db texts.db --out texts-p.toml",
      "export material Twill --format arcsim --db texts.db --out texts-a.json",
      "report --all --db texts.db --out texts-pages"};
  (void)snprintf(command, sizeof command, "cd '%s' && cp lab.db names.db && cp lab.db texts.db", cbt_folder);
  assert_int_equal(system(command), 0);
  make_hostile(cbt_path("names.db", path), true);
  make_hostile(cbt_path("texts.db", path), false);
  run_all(on_names, sizeof on_names / sizeof on_names[0]);
  run_all(on_texts, sizeof on_texts / sizeof on_texts[0]);
  expect_plain_files(
      "names-pages/* names-text/* texts-e.* texts-c.csv texts-a.json texts-m.xml texts-n.json texts-p.toml "
      "texts-pages/* names.svg names-c.svg");
  char *table = clit_get("texts-e.csv");
  expect_no_formulas(table, "texts-e.csv");
  free(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_sentence_holds_a_control_character),
      cmocka_unit_test(material_files_with_control_characters_are_refused),
      cmocka_unit_test(tables_with_control_characters_are_refused),
      cmocka_unit_test(mappings_with_control_characters_are_refused),
      cmocka_unit_test(the_command_line_is_held_to_lines),
      cmocka_unit_test(a_preset_is_ours_line_by_line),
      cmocka_unit_test(texts_in_tables_are_no_formulas_and_come_back),
      cmocka_unit_test(random_texts_come_back_from_a_table),
      cmocka_unit_test(nothing_of_a_hostile_database_reaches_the_terminal),
  };
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
