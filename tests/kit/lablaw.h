/* What the tests of a material's laws in lab/ share: a cloth in a database of its own, tests put by hand,
 * documents there and back. */
#ifndef LABLAW_H
#define LABLAW_H

#include <jansson.h>

#include "cb_json.h"
#include "cb_rng.h"
#include "cb_store_material_test.h"
#include "storetest.h"

static inline int64_t ll_cloth(cb_store *s, const char *name) {
  int64_t id;
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, name, CB_IMPORTED, &id, err));
  return id;
}

/* One test of n points. What is not given is not known. */
static inline void ll_test(cb_store *s, cb_material_test t, const cb_test_point *points, size_t n) {
  if (t.layers == 0) t.layers = 1;
  t.repeat = 1;
  t.temperature_degC = NAN;
  if (!t.source[0]) (void)snprintf(t.source, sizeof t.source, "invented");
  assert_ok(cb_store_test_put(s, &t, points, n, "", "", err));
}

/* The text of a document; takes it. Caller frees. */
static inline char *ll_text(json_t *doc) {
  assert_non_null(doc);
  char *text = cb_json_text(doc);
  json_decref(doc);
  assert_non_null(text);
  return text;
}

/* Two documents are the same to the last bit; takes both. */
static inline void ll_same(json_t *a, json_t *b) {
  char *one = ll_text(a), *two = ll_text(b);
  assert_string_equal(one, two);
  free(one);
  free(two);
}

/* The text with one place changed is refused in one sentence that says why. */
typedef struct ll_damage {
  const char *from, *to, *why;
} ll_damage;
typedef cb_status ll_read(const char *text, cb_err *err); /* clears what it read */

static inline void ll_refused(const char *text, const ll_damage *list, size_t n, ll_read *read) {
  for (size_t i = 0; i < n; i++) {
    const char *const pair[1][2] = {{list[i].from, list[i].to}};
    char *damaged = cbt_replace(text, pair, 1);
    cb_err err = {""};
    if (read(damaged, &err) == CB_OK) fail_msg("'%s' for '%s' was read", list[i].to, list[i].from);
    if (!strstr(err.msg, list[i].why)) fail_msg("'%s' was said, '%s' was wanted", err.msg, list[i].why);
    assert_null(strchr(err.msg, '\n'));
    free(damaged);
  }
}

#endif
