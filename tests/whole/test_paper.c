/* tests/papers/papers.yaml: what its rows name exists, and every row can be played: its commands are ours,
 * its pictures and scenes are there. */
#include "cbtest.h"

#include <math.h>
#include <unistd.h>

#include "paper_page.h"
#include "paper_played.h"

#define TOP CB_SOURCE_DIR

static paper_list list;

static int read_list(void **state) {
  assert_ok(paper_list_read(TOP "/tests/papers/papers.yaml", &list, err));
  assert_ok(paper_played_read(TOP "/tests/papers/played.csv", &list, err));
  return cbt_folder_set_up(state);
}

static int free_list(void **state) {
  paper_list_clear(&list);
  return cbt_folder_tear_down(state);
}

static void assert_there(const paper_row *r, const char *folder, const char *name) {
  char path[600];
  (void)snprintf(path, sizeof path, "%s/%s%s", TOP, folder, name);
  if (access(path, R_OK) != 0) fail_msg("row %s: no %s", r->id, path);
}

/* "clothbench ... scenes/NAME.yaml ...", or "bench_NAME ...". */
static void check_command(const paper_row *r, const char *command) {
  char word[200];
  const char *scene = strstr(command, "scenes/");
  if (strncmp(command, "bench_", 6) == 0) {
    (void)snprintf(word, sizeof word, "%.*s.c", (int)strcspn(command, " "), command);
    assert_there(r, "tests/bench/", word);
  } else if (strncmp(command, "clothbench ", 11) != 0) {
    fail_msg("row %s: '%s' is neither clothbench nor a bench", r->id, command);
  }
  if (!scene) return;
  (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(scene, " "), scene);
  assert_there(r, "", word);
}

static void every_row_can_be_played(void **state) {
  (void)state;
  assert_int_equal(list.n, 5);
  for (size_t p = 0; p < list.n; p++) {
    assert_true(list.paper[p].n_rows > 0);
    for (size_t i = 0; i < list.paper[p].n_rows; i++) {
      const paper_row *r = &list.paper[p].row[i];
      assert_ptr_equal(paper_list_find(&list, r->id), r); /* no id twice */
      assert_int_equal(r->id[0], list.paper[p].id[0]);
      assert_true(r->minutes > 0);
      for (size_t k = 0; k < r->n_commands; k++) check_command(r, r->command[k]);
      for (size_t k = 0; k < r->n_pictures; k++) assert_there(r, "docs/method/", r->picture[k]);
    }
  }
  assert_null(paper_list_find(&list, "Z9"));
}

static void a_number_that_is_read_names_its_command(void **state) {
  (void)state;
  for (size_t p = 0; p < list.n; p++)
    for (size_t i = 0; i < list.paper[p].n_rows; i++) {
      const paper_row *r = &list.paper[p].row[i];
      for (size_t k = 0; k < r->n_values; k++) {
        const paper_value *v = &r->value[k];
        const unsigned long n = strtoul(v->read, NULL, 10);
        if (n < 1 || n > r->n_commands) fail_msg("row %s: '%s' names no command", r->id, v->read);
        if (isnan(v->least) && isnan(v->most)) fail_msg("row %s, '%s': nothing is wanted", r->id, v->what);
      }
    }
}

/* './run paper --page > docs/method/gallery.md' makes it anew. */
static void the_gallery_is_the_list(void **state) {
  (void)state;
  char path[400], *printed, *page;
  FILE *to = fopen(cbt_path("page.md", path), "w");
  assert_non_null(to);
  paper_page_print(&list, to);
  assert_int_equal(fclose(to), 0);
  printed = cbt_read(path);
  page = cbt_read(TOP "/docs/method/gallery.md");
  assert_string_equal(page, printed);
  free(page);
  free(printed);
}

/* Numbers of rows that a page repeats: what it says, with the number as last played, times scale. */
static const struct {
  const char *page, *row;
  size_t value;
  double scale;
  const char *says;
} repeated[] = {
    {"conditions.md", "E1", 0, 1e3, "| 0 | %.2f mm |"},
    {"conditions.md", "E1", 1, 1e3, "| 1600 | %.2f mm |"},
    {"conditions.md", "E1", 2, 1e3, "| 51200 | %.2f mm |"},
    {"conditions.md", "E1", 3, 1e3, "| 204800 | %.2f mm |"},
    {"limit-experiments.md", "B1", 1, 1e3, "| `warp-weft` | %.1f mm |"},
    {"limit-experiments.md", "B1", 2, 1e3, "| `mapped` | %.1f mm |"},
    {"limit-experiments.md", "B2", 0, 1e2, "| `warp-weft` | 5 %% | 5.1 %% | %.1f %% |"},
    {"limit-experiments.md", "B2", 1, 1e2, "| `warp-weft` | 3 %% | 3.1 %% | %.1f %% |"},
    {"limit-experiments.md", "B2", 2, 1e2, "| `mapped` | 5 %% | 5.3 %% | %.1f %% |"},
    {"limit-experiments.md", "B2", 3, 1, "| -12.9 %% | 0.10 %% | %.3f mm |"},
    {"limit-experiments.md", "B2", 4, 1, "| -12.7 %% | 0.10 %% | %.3f mm |"},
    {"limit-experiments.md", "B2", 5, 1, "| -6.9 %% | 0.10 %% | %.3f mm |"},
    {"limit-experiments.md", "B4", 0, 1, "| remeshings | 0 | %.0f |"},
    {"limit-experiments.md", "B4", 2, 1, "| wrinkles, 1/m | 1.67 | %.2f |"},
    {"fluid-figures.md", "D4", 0, 1, "step before | %.0f | "},
    {"fluid-figures.md", "D4", 1, 1, "| 853 | %.0f | "},
    {"fluid-figures.md", "D4", 3, 1, "positions corrected | 0 | 0 | %.0f |"},
    {"fluid-figures.md", "D4", 4, 1, " | 1143 | %.0f |"},
    {"fluid-figures.md", "D5", 0, 1, "At 0.8 s, %.0f pairs of its triangles cross"},
    {"self-collision-friction.md", "D3", 3, 1e-3, "592 564 | %.3f |"},
    {"self-collision-friction.md", "D3", 4, 1e-3, "503 616 | %.3f |"},
    {"self-collision-friction.md", "D3", 5, 1e-3, "3.2 | | %.3f |"},
    {"self-collision-friction.md", "D3", 6, 1e-3, "1 025 768 | %.3f |"},
    {"self-collision-friction.md", "D3", 7, 1e-3, "762 368 | %.3f |"},
    {"self-collision-friction.md", "D3", 8, 1e-3, "11.7 | | %.3f |"},
    {"self-collision-friction.md", "D3", 9, 1e-3, "544 444 | %.3f |"},
    {"self-collision-friction.md", "D3", 10, 1e-3, "475 320 | %.3f |"},
    {"self-collision-friction.md", "D3", 11, 1e-3, "2.7 | | %.3f |"},
};

/* Thousands stand apart by a space: 592 564. */
static void part_thousands(double scale, char *text) {
  char *point = strrchr(text, '.');
  if (scale < 1 && point) *point = ' ';
}

static void pages_say_what_was_played(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
    char path[600], says[200];
    const paper_row *row = paper_list_find(&list, repeated[i].row);
    assert_non_null(row);
    assert_true(repeated[i].value < row->n_values);
    (void)snprintf(path, sizeof path, TOP "/docs/method/%s", repeated[i].page);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(says, sizeof says, repeated[i].says,
                   row->value[repeated[i].value].number * repeated[i].scale);
#pragma GCC diagnostic pop
    part_thousands(repeated[i].scale, says);
    char *page = cbt_read(path);
    if (!strstr(page, says))
      fail_msg("%s: '%s' was wanted: row %s, %s", repeated[i].page, says, row->id,
               row->value[repeated[i].value].what);
    free(page);
  }
}

static void bad_lists_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"papers: [{id: A, title: t, cite: c, page: p}]\n", "the key 'rows' is missing"},
      {"papers: [{id: A, title: t, cite: c, page: p, rows: [{id: A1, shows: s, run: [], minutes: 1, verdict: "
       "same}]}]\n",
       "row A1 has no command"},
      {"papers: [{id: A, title: t, cite: c, page: p, rows: [{id: A1, shows: s, run: x, minutes: 1, verdict: "
       "differs, values: [{what: w, read: 1 /a, most: 1}]}]}]\n",
       "row A1 differs: `because` was wanted"},
      {"papers: [{id: A, title: t, cite: c, page: p, rows: [{id: A1, shows: s, run: x, minutes: 1, verdict: "
       "same}]}]\n",
       "row A1 reads 0 numbers and has a verdict: none was wanted"},
      {"papers: [{id: A, title: t, cite: c, page: p, rows: [{id: A1, shows: s, run: x, minutes: 1, "
       "values: [{what: w, read: 1 /a, most: 1}]}]}]\n",
       "row A1 reads 1 numbers and has no verdict: one was wanted"},
      {"papers: [{id: A, title: t, cite: c, page: p, rows: [{id: A1, shows: s, run: x, minutes: 1, verdict: "
       "same, values: [{what: w, most: 1}]}]}]\n",
       "the key 'read' is missing"},
      {"papers: [{id: A, title: t, cite: c, page: p, rows: [{id: A1, shows: s, run: x, minutes: 1, verdict: "
       "fine}]}]\n",
       "verdict"},
  };
  char path[400];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    paper_list bad;
    cbt_write(cbt_path("papers.yaml", path), cases[i].text);
    assert_fails(CB_E_PARSE, cases[i].says, paper_list_read(path, &bad, err));
    paper_list_clear(&bad);
  }
}

/* The word of a row follows from its numbers; a verdict that was written is shown only where they bear it. */
static void numbers_decide_the_word(void **state) {
  (void)state;
  char path[400], wanted[60];
  paper_list some;
  cbt_write(cbt_path("papers.yaml", path),
            "papers: [{id: A, title: t, cite: c, page: p, rows: [\n"
            "  {id: A1, shows: s, run: x, minutes: 1, verdict: better, values: [{what: 'w, in m', read: 1 "
            "/a, least: 1}]},\n"
            "  {id: A2, shows: s, run: x, minutes: 1}]}]\n");
  assert_ok(paper_list_read(path, &some, err));
  paper_row *row = paper_list_find(&some, "A1");
  assert_string_equal(paper_row_word(row), "not played");
  assert_string_equal(paper_row_word(paper_list_find(&some, "A2")), "nothing is read");
  row->value[0].number = 0.5;
  assert_string_equal(paper_row_word(row), "not as written");
  row->value[0].number = 2;
  assert_string_equal(paper_row_word(row), "better");
  paper_value_wanted(&row->value[0], wanted);
  assert_string_equal(wanted, "at least 1");
  paper_played_mark(TOP, row);
  assert_ok(paper_played_write(cbt_path("played.csv", path), &some, err));
  row->value[0].number = NAN, row->commit[0] = '\0';
  assert_ok(paper_played_read(path, &some, err));
  assert_near(row->value[0].number, 2, 0);
  assert_true(row->commit[0] && strlen(row->date) == 10 && row->machine[0]);
  cbt_write(path, "row,what,number,commit,date,machine\nA1,other,1,c,d,m\n");
  assert_fails(CB_E_PARSE, "played.csv:2: row 'A1' has no value 'other'",
               paper_played_read(path, &some, err));
  paper_list_clear(&some);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_can_be_played), cmocka_unit_test(a_number_that_is_read_names_its_command),
      cmocka_unit_test(the_gallery_is_the_list), cmocka_unit_test(pages_say_what_was_played),
      cmocka_unit_test(bad_lists_are_refused),   cmocka_unit_test(numbers_decide_the_word)};
  return cmocka_run_group_tests(tests, read_list, free_list);
}
