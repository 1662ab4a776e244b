#include "cb_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_text.h"

/* Jansson's parser goes no deeper than 2048. */
static void show_strings(json_t *value) {
  const char *key;
  json_t *item;
  size_t i;
  json_object_foreach(value, key, item) show_strings(item);
  json_array_foreach(value, i, item) show_strings(item);
  const char *text = json_string_value(value);
  if (!text || cb_text_is_line(text)) return;
  char *shown = malloc(4 * strlen(text) + 1);
  (void)json_string_set(value, shown ? cb_text_show(text, shown, 4 * strlen(text) + 1) : "");
  free(shown);
}

json_t *cb_json_read(const char *text) {
  json_t *doc = json_loads(text, 0, NULL);
  if (doc) show_strings(doc);
  return doc;
}

char *cb_json_text(const json_t *doc) {
  return doc ? json_dumps(doc, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
}

json_t *cb_json_real(double v) { return isfinite(v) ? json_real(v) : json_null(); }

double cb_json_number(const json_t *object, const char *key) {
  const json_t *v = json_object_get(object, key);
  return json_is_number(v) ? json_number_value(v) : NAN;
}
