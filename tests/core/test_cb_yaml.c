#include <stdbool.h>
#include <time.h>

#include "cb_yaml.h"
#include "cbtest.h"

typedef struct settings {
  char name[8];
  double speed_m_per_s;
  int repeats;
  bool checksum;
  int mode;
  cb_numlist angles;
  cb_ynode nested;
} settings;

static const char *const modes[] = {"slow", "fast", NULL};
static const cb_yfield fields[] = {
    {"name", CB_Y_STR, offsetof(settings, name), sizeof(((settings *)0)->name), .required = true},
    {"speed_mm_per_s", CB_Y_NUM, offsetof(settings, speed_m_per_s), .min = 0.1, .max = 100, .scale = 1e-3},
    {"repeats", CB_Y_INT, offsetof(settings, repeats), .min = 1, .max = 9},
    {"checksum", CB_Y_BOOL, offsetof(settings, checksum)},
    {"mode", CB_Y_ENUM, offsetof(settings, mode), .choices = modes},
    {"angles_deg", CB_Y_NUMLIST, offsetof(settings, angles), .min = -360, .max = 360},
    {"nested", CB_Y_NODE, offsetof(settings, nested)},
};

static cb_status bind(const char *text, settings *out, cb_yaml **doc, cb_err *err) {
  *out = (settings){.repeats = 3};
  CB_TRY(cb_yaml_parse(text, strlen(text), "r.yaml", doc, err));
  cb_status st = cb_yaml_bind(cb_yaml_root(*doc), fields, sizeof fields / sizeof fields[0], out, err);
  if (st != CB_OK) {
    cb_yaml_free(*doc);
    *doc = NULL;
  }
  return st;
}

static void a_good_file(void **state) {
  (void)state;
  settings s;
  cb_yaml *doc;
  assert_ok(
      bind("# a rig\nname: pull\nspeed_mm_per_s: 2.5\nchecksum: true\nmode: fast\nangles_deg: [0, 45, "
           "90]\nnested: {a: 1}\n",
           &s, &doc, err));
  assert_string_equal(s.name, "pull");
  assert_near(s.speed_m_per_s, 0.0025, 1e-18);
  assert_true(s.repeats == 3 && s.checksum && s.mode == 1 && s.angles.n == 3 && s.angles.v[2] == 90);
  assert_true(!cb_yaml_is_list(s.nested) && cb_yaml_count(s.nested) == 1 && cb_yaml_line(s.nested) == 7);
  assert_string_equal(cb_yaml_scalar(cb_yaml_get(s.nested, "a")), "1");
  assert_null(cb_yaml_get(s.nested, "b").doc);
  cb_yaml_free(doc);
}

static void sentences_say_where_what_got_wanted(void **state) {
  (void)state;
  const struct {
    cb_status st;
    const char *text, *sentence;
  } cases[] = {
      {CB_E_PARSE, "name: a\nsped: 1\n",
       "r.yaml:2: unknown key 'sped'; allowed are: name, speed_mm_per_s, repeats"},
      {CB_E_PARSE, "repeats: 1\n", "r.yaml:1: the key 'name' is missing"},
      {CB_E_PARSE, "nam: a\n", "r.yaml:1: unknown key 'nam': did you mean 'name'? allowed are: name"},
      {CB_E_PARSE, "name: a\nname: b\n", "r.yaml:2: the key 'name' stands twice"},
      {CB_E_RANGE, "name: a\nspeed_mm_per_s: 500\n",
       "r.yaml:2: speed_mm_per_s = 500: must be between 0.1 and 100"},
      {CB_E_PARSE, "name: a\nspeed_mm_per_s: .nan\n",
       "r.yaml:2: speed_mm_per_s = '.nan': must be a finite decimal number"},
      {CB_E_PARSE, "name: a\nspeed_mm_per_s: [1]\n",
       "r.yaml:2: speed_mm_per_s: a single value was wanted, not a list"},
      {CB_E_PARSE, "name: a\nrepeats: 1.5\n", "r.yaml:2: repeats = '1.5': must be a whole number"},
      {CB_E_RANGE, "name: a\nrepeats: 10\n", "r.yaml:2: repeats = 10: must be between 1 and 9"},
      {CB_E_PARSE, "name: a\nchecksum: yes\n", "r.yaml:2: checksum = 'yes': must be true or false"},
      {CB_E_PARSE, "name: a\nmode: warp\n", "r.yaml:2: mode = 'warp': must be slow | fast"},
      {CB_E_RANGE, "name: much too long\n", "must be shorter than 8 bytes"},
      {CB_E_PARSE, "name: a\nangles_deg: 45\n", "r.yaml:2: angles_deg: a list of numbers was wanted"},
      {CB_E_RANGE, "name: a\nangles_deg: [0, 720]\n", "angles_deg = 720: must be between -360 and 360"},
      {CB_E_PARSE, "- a\n- b\n", "r.yaml:1: a map of keys was wanted"},
      {CB_E_PARSE, "name: [a\n", "not valid YAML"},
      {CB_E_PARSE, "name: a\n---\nname: b\n", "a second document"},
      {CB_E_PARSE, "", "is empty"},
      {CB_E_PARSE, "name: \"a\\0b\"\n", "holds a NUL byte"},
      {CB_E_PARSE, "name: a\n\tmode: fast\n", "r.yaml:2: not valid YAML"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    settings s;
    cb_yaml *doc;
    assert_fails(cases[i].st, cases[i].sentence, bind(cases[i].text, &s, &doc, err));
  }
}

static void files(void **state) {
  (void)state;
  cb_yaml *doc;
  assert_fails(CB_E_IO, "/no/such.yaml: cannot be opened", cb_yaml_load("/no/such.yaml", &doc, err));
}

/* ---- files that would keep the parser busy ---- */

#define WHOLE ((size_t)4 << 20) /* the largest file that is read */

/* head, then unit again and again with i in it where it has a %zu, then tail: not more than n bytes. Caller
 * frees. */
static char *repeated(const char *head, const char *unit, const char *tail, size_t n) {
  char *text = malloc(n + 1);
  size_t at = strlen(head);
  assert_non_null(text);
  strcpy(text, head);
  for (size_t i = 0;; i++) {
    char one[200];
    const char *percent = strstr(unit, "%i");
    int m = percent ? snprintf(one, sizeof one, "%.*s%zu%s", (int)(percent - unit), unit, i, percent + 2)
                    : snprintf(one, sizeof one, "%s", unit);
    if (at + (size_t)m + strlen(tail) > n) break;
    memcpy(text + at, one, (size_t)m);
    at += (size_t)m;
  }
  strcpy(text + at, tail);
  return text;
}

/* Every line one blank deeper: as many as go into n bytes. */
static char *stairs(size_t n) {
  char *text = malloc(n + 1);
  size_t at = 0;
  assert_non_null(text);
  for (size_t depth = 0; at + depth + 3 < n; depth++) {
    memset(text + at, ' ', depth);
    memcpy(text + at + depth, "a:\n", 3);
    at += depth + 3;
  }
  text[at] = '\0';
  return text;
}

static double seconds_to_parse(const char *text) {
  cb_yaml *doc;
  cb_err err = {""};
  clock_t begin = clock();
  cb_status st = cb_yaml_parse(text, strlen(text), "long.yaml", &doc, &err);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  if (st != CB_OK && !err.msg[0]) fail_msg("refused without a sentence");
  cb_yaml_free(doc);
  return seconds;
}

/* Sanitizers cost some ten times. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MOST_SECONDS 20.0
#else
#define MOST_SECONDS 2.0
#endif

/* Of the largest size that is allowed. Brackets alone took minutes: libyaml looks at every open level for
 * every token, at every anchor for every anchor and alias, at every %TAG for every %TAG. */
static void no_file_takes_longer_than_two_seconds(void **state) {
  (void)state;
  static const struct {
    const char *what, *head, *unit, *tail;
  } cases[] = {
      {"open brackets", "", "[", ""},
      {"open braces", "", "{", ""},
      {"brackets and braces", "", "[{", ""},
      {"brackets on lines", "", "[\n", ""},
      {"braces as keys", "", "{a: ", ""},
      {"keys in brackets", "", "[a: ", ""},
      {"brackets, closed at once", "[", "[],", "]"},
      {"dashes", "", "- ", ""},
      {"dashes on lines", "", "-\n", ""},
      {"items", "", "- a\n", ""},
      {"question marks", "", "? ", ""},
      {"question marks on lines", "", "? a\n", ""},
      {"question marks in braces", "{", "? ", ""},
      {"commas", "[", ",", ""},
      {"values in brackets", "[", "1,", "1]"},
      {"colons", "", ": ", ""},
      {"keys", "", "key%i: 1\n", ""},
      {"keys on a line", "{", "k%i: 1, ", "}"},
      {"equal keys", "", "k: 1\n", ""},
      {"keys without values", "", "a:\n", ""},
      {"anchors", "", "- &a%i x\n", ""},
      {"one anchor", "", "- &a x\n", ""},
      {"aliases", "- &a x\n", "- *a\n", ""},
      {"a bomb", "", "a%i: &a%i [*a, *a]\n", ""},
      {"tags", "", "- !a%i x\n", ""},
      {"tags alone", "", "! ", ""},
      {"long tags", "- !", "a", " x\n"},
      {"%TAG", "", "%TAG !a%i! tag:x,\n", "--- a\n"},
      {"%YAML", "", "%YAML 1.1\n", "--- a\n"},
      {"documents", "", "---\n", ""},
      {"documents with a value", "", "--- a\n", ""},
      {"ends of documents", "", "...\n", ""},
      {"a long key", "", "k", ": 1\n"},
      {"a long text", "a: ", "x", "\n"},
      {"a long quoted text", "a: \"", "x", "\"\n"},
      {"escapes", "a: \"", "\\x41", "\"\n"},
      {"a quote that stays open", "a: \"", "x\n", ""},
      {"quotes", "", "'", ""},
      {"lines of a text", "a: ", "x\n ", "\n"},
      {"empty lines", "a: x", "\n", " y\n"},
      {"empty lines in a block", "a: |\n x", "\n", " y\n"},
      {"lines of a block", "a: |\n", "  x\n", ""},
      {"folded lines", "a: >\n", "  x\n", ""},
      {"blanks", "", " ", "a"},
      {"tabs", "a:", "\t", "x"},
      {"comments", "", "#\n", "a: 1\n"},
      {"a long comment", "#", "#", "\na: 1\n"},
      {"stars", "", "*", ""},
      {"ampersands", "", "&", ""},
      {"bars", "", "|\n", ""},
      {"closing brackets", "", "]", ""},
      {"carriage returns", "a: x", "\r", " y\n"},
      {"line separators", "a: x", "\xe2\x80\xa8", " y\n"},
  };
  double worst = 0;
  const char *slowest = "";
  for (size_t i = 0; i <= sizeof cases / sizeof cases[0]; i++) {
    bool last = i == sizeof cases / sizeof cases[0];
    char *text = last ? stairs(WHOLE) : repeated(cases[i].head, cases[i].unit, cases[i].tail, WHOLE);
    double seconds = seconds_to_parse(text);
    free(text);
    if (seconds > worst) worst = seconds, slowest = last ? "stairs" : cases[i].what;
    if (seconds > MOST_SECONDS) fail_msg("%s: %.1f s", last ? "stairs" : cases[i].what, seconds);
  }
  print_message("slowest of %zu: %s, %.2f s\n", sizeof cases / sizeof cases[0] + 1, slowest, worst);
}

static void refuse_text(cb_status status, const char *sentence, const char *text) {
  cb_yaml *doc;
  assert_fails(status, sentence, cb_yaml_parse(text, strlen(text), "r.yaml", &doc, err));
  assert_null(doc);
}

static void depth_and_sharing_have_a_sentence(void **state) {
  (void)state;
  cb_yaml *doc;
  char *deep = repeated("a: ", "[", "", 3 + 63), *deeper = repeated("a: ", "[", "", 3 + 64);
  char closing[80] = "";
  memset(closing, ']', 63);
  char *whole = malloc(200);
  (void)snprintf(whole, 200, "%s%s\n", deep, closing);
  assert_ok(cb_yaml_parse(whole, strlen(whole), "r.yaml", &doc, err));
  cb_yaml_free(doc);
  refuse_text(CB_E_RANGE, "r.yaml:1: lists and maps more than 64 deep: fewer were wanted", deeper);
  refuse_text(CB_E_PARSE, "r.yaml:2: an anchor or alias (&name, *name): the value itself was wanted",
              "a: 1\nb: &x 2\n");
  refuse_text(CB_E_PARSE, "r.yaml:1: an anchor or alias", "a: *x\n");
  refuse_text(CB_E_PARSE, "r.yaml:1: %TAG: a file without it was wanted", "%TAG ! tag:x,\n---\na: 1\n");
  /* Quotes and comments hold what they like. */
  const char *fine = "a: \"[[[[ &x *y\" # [[[[ &x\nb: '{{{'\nc: x&y*z\n";
  assert_ok(cb_yaml_parse(fine, strlen(fine), "r.yaml", &doc, err));
  cb_yaml_free(doc);
  free(deep);
  free(deeper);
  free(whole);
}

/* By an escape, as the character itself, in a key, in a comment. */
static void control_characters_are_refused(void **state) {
  (void)state;
  refuse_text(CB_E_RANGE, "r.yaml:2: text = 'x\\x0ay': has a control character (\\x0a) at byte 2",
              "a: 1\nname: \"x\\ny\"\n");
  refuse_text(CB_E_RANGE, "(\\x1b)", "name: \"\\e[31m\"\n");
  refuse_text(CB_E_RANGE, "(\\x9b)", "name: \"\\x9b\"\n");
  refuse_text(CB_E_RANGE, "(\\u{202e})", "name: \"\\u202e\"\n");
  refuse_text(CB_E_RANGE, "(\\x0d)", "\"a\\rb\": 1\n");
  refuse_text(CB_E_RANGE, "(\\x0a)", "name: |\n  one\n  two\n");
  refuse_text(CB_E_RANGE, "(\\u{202e})", "a: 1 # \xe2\x80\xae\n");
  refuse_text(CB_E_PARSE, "not valid YAML", "a: \x1b[31m\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_good_file),
                                     cmocka_unit_test(sentences_say_where_what_got_wanted),
                                     cmocka_unit_test(files),
                                     cmocka_unit_test(no_file_takes_longer_than_two_seconds),
                                     cmocka_unit_test(depth_and_sharing_have_a_sentence),
                                     cmocka_unit_test(control_characters_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
