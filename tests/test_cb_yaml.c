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
    {.key = "name", .kind = CB_Y_STR, .offset = offsetof(settings, name), .size = sizeof(((settings *)0)->name), .required = true},
    {.key = "speed_mm_per_s", .kind = CB_Y_NUM, .offset = offsetof(settings, speed_m_per_s), .min = 0.1, .max = 100, .scale = 1e-3},
    {.key = "repeats", .kind = CB_Y_INT, .offset = offsetof(settings, repeats), .min = 1, .max = 9},
    {.key = "checksum", .kind = CB_Y_BOOL, .offset = offsetof(settings, checksum)},
    {.key = "mode", .kind = CB_Y_ENUM, .offset = offsetof(settings, mode), .choices = modes},
    {.key = "angles_deg", .kind = CB_Y_NUMLIST, .offset = offsetof(settings, angles), .min = -360, .max = 360},
    {.key = "nested", .kind = CB_Y_NODE, .offset = offsetof(settings, nested)},
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
  assert_ok(bind("# a rig\nname: pull\nspeed_mm_per_s: 2.5\nchecksum: true\nmode: fast\nangles_deg: [0, 45, 90]\nnested: {a: 1}\n", &s,
                 &doc, err));
  assert_string_equal(s.name, "pull");
  assert_near(s.speed_m_per_s, 0.0025, 1e-18);
  assert_true(s.repeats == 3 && s.checksum && s.mode == 1 && s.angles.n == 3 && s.angles.v[2] == 90);
  assert_true(cb_yaml_is_map(s.nested) && cb_yaml_count(s.nested) == 1 && cb_yaml_line(s.nested) == 7);
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
      {CB_E_PARSE, "name: a\nsped: 1\n", "r.yaml:2: unknown key 'sped'; allowed are: name, speed_mm_per_s, repeats"},
      {CB_E_PARSE, "repeats: 1\n", "r.yaml:1: the key 'name' is missing"},
      {CB_E_PARSE, "name: a\nname: b\n", "r.yaml:2: the key 'name' stands twice"},
      {CB_E_RANGE, "name: a\nspeed_mm_per_s: 500\n", "r.yaml:2: speed_mm_per_s = 500: must be between 0.1 and 100"},
      {CB_E_PARSE, "name: a\nspeed_mm_per_s: .nan\n", "r.yaml:2: speed_mm_per_s = '.nan': must be a finite decimal number"},
      {CB_E_PARSE, "name: a\nspeed_mm_per_s: [1]\n", "r.yaml:2: speed_mm_per_s: a single value was wanted, not a list"},
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_good_file), cmocka_unit_test(sentences_say_where_what_got_wanted),
                                     cmocka_unit_test(files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
