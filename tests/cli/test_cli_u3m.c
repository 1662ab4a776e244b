/* U3M: what is written has the published schema and comes back with every bit; a file of another program
 * gives its facts. */
#include "clitest.h"

#define NAME "\"Petrak M1, polyester twill\""
#define SHIPPED " --db " CB_SOURCE_DIR "/materials.db"

static json_t *document(const char *name) {
  char *text = clit_get(name);
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  free(text);
  assert_non_null(doc);
  return doc;
}

static void every_bit_comes_back(void **state) {
  (void)state;
  clit_run("export material " NAME " --format u3m --out physics.json" SHIPPED, 0);
  clit_run("import material physics.json --format u3m --db back.db", 0);
  clit_run("export material " NAME " --format u3m --out again.json --db back.db", 0);
  json_t *before = document("physics.json"), *after = document("again.json");
  static const char *const laws[] = {"stretch", "bending"};
  for (size_t i = 0; i < 2; i++) {
    json_t *a = json_object_get(json_object_get(json_object_get(before, "custom"), "clothbench"), laws[i]);
    json_t *b = json_object_get(json_object_get(json_object_get(after, "custom"), "clothbench"), laws[i]);
    assert_true(json_is_object(json_object_get(a, "result")));
    assert_true(json_equal(json_object_get(a, "result"), json_object_get(b, "result")));
  }
  json_decref(before);
  json_decref(after);
}

/* A type of JSON schema, or one of a list of them. */
static bool has_type(const json_t *value, const json_t *type) {
  if (json_is_array(type)) {
    for (size_t i = 0; i < json_array_size(type); i++)
      if (has_type(value, json_array_get(type, i))) return true;
    return false;
  }
  const char *name = json_string_value(type);
  return !name || (strcmp(name, "object") == 0 && json_is_object(value)) ||
         (strcmp(name, "null") == 0 && json_is_null(value)) ||
         (strcmp(name, "string") == 0 && json_is_string(value));
}

/* The schema's top: its keys and no others, their types, the constant. Raw data, which has more rules, is
 * null. */
static void the_published_schema_holds(void **state) {
  (void)state;
  if (access(CBT_DATA "/u3m_fab/physics_schema.json", R_OK) != 0) {
    print_message("skipped: no published schema here\n");
    skip();
  }
  json_t *schema = json_load_file(CBT_DATA "/u3m_fab/physics_schema.json", 0, NULL),
         *doc = document("physics.json"), *value;
  assert_non_null(schema);
  const json_t *properties = json_object_get(schema, "properties"),
               *required = json_object_get(schema, "required");
  const char *key;
  for (size_t i = 0; i < json_array_size(required); i++)
    assert_non_null(json_object_get(doc, json_string_value(json_array_get(required, i))));
  json_object_foreach(doc, key, value) {
    const json_t *rule = json_object_get(properties, key);
    if (!rule) fail_msg("the schema has no key '%s'", key);
    assert_true(has_type(value, json_object_get(rule, "type")));
    const json_t *constant = json_object_get(rule, "const");
    if (constant) assert_true(json_equal(constant, value));
  }
  assert_true(json_is_null(json_object_get(doc, "raw_data")));
  json_decref(schema);
  json_decref(doc);
}

static void a_file_of_another_program_gives_its_facts(void **state) {
  (void)state;
  clit_put("theirs.json",
           "{\"schema\": \"1.1\", \"raw_data\": null, \"custom\": {\"browzwear\": {\"mass\": 300.0, "
           "\"thickness\": 0.25, "
           "\"bend\": {\"length\": 15.9}}}}");
  clit_expect("import material theirs.json --format u3m --db facts.db", 2, "", "--name was wanted");
  clit_run("import material theirs.json --format u3m --name Knit --db facts.db", 0);
  clit_expect("db show Knit --db facts.db", 0, "300 g/m2", "");
  clit_expect("db show Knit --db facts.db", 0, "0.25", "");
}

static void strips_of_a_fab_have_a_command(void **state) {
  (void)state;
  clit_put("strips.json", "{\"schema\": \"1.1\", \"raw_data\": {\"M\": 300, \"L\": {}}, \"custom\": null}");
  clit_expect("import material strips.json --format u3m --name Raw --db raw.db", 0, "'Raw' imported",
              "'clothbench import fab' reads them");
}

/* Some programs write all numbers as texts. */
static void numbers_in_quotes_are_numbers(void **state) {
  (void)state;
  clit_put("quoted.json",
           "{\"schema\": \"1.1\", \"raw_data\": null, \"custom\": {\"browzwear\": {\"name\": \"Jersey\", "
           "\"mass\": \"182.5\", \"thickness\": \"0.61\"}}}");
  clit_run("import material quoted.json --format u3m --db quoted.db", 0);
  clit_expect("db show Jersey --db quoted.db", 0, "182.5 g/m2", "");
  clit_expect("db show Jersey --db quoted.db", 0, "0.61", "");
  clit_put("comma.json",
           "{\"schema\": \"1.1\", \"raw_data\": null, \"custom\": {\"browzwear\": {\"name\": \"Jersey\", "
           "\"mass\": \"182,5\"}}}");
  clit_expect("import material comma.json --format u3m --db no.db", 1, "", "mass = '182,5'");
}

static void what_is_wrong_is_told(void **state) {
  (void)state;
  clit_put("old.json", "{\"schema\": \"1.0\", \"raw_data\": null, \"custom\": null}");
  clit_expect("import material old.json --format u3m --db no.db", 1, "", "'1.0': 1.1 was wanted");
  clit_put("empty.json", "{\"schema\": \"1.1\", \"raw_data\": null, \"custom\": null}");
  clit_expect("import material empty.json --format u3m --db no.db", 1, "",
              "neither laws of clothbench, nor a mass");
  clit_put("heavy.json",
           "{\"schema\": \"1.1\", \"raw_data\": null, \"custom\": {\"browzwear\": {\"name\": \"A\", "
           "\"mass\": 9e5}}}");
  clit_expect("import material heavy.json --format u3m --db no.db", 1, "", "custom.browzwear.mass");
  clit_put("other.json", "{\"schema\": \"1.1\", \"raw_data\": null, \"custom\": {}, \"more\": 1}");
  clit_expect("import material other.json --format u3m --db no.db", 1, "", "unknown key 'more'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bit_comes_back),
      cmocka_unit_test(the_published_schema_holds),
      cmocka_unit_test(strips_of_a_fab_have_a_command),
      cmocka_unit_test(a_file_of_another_program_gives_its_facts),
      cmocka_unit_test(numbers_in_quotes_are_numbers),
      cmocka_unit_test(what_is_wrong_is_told),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
