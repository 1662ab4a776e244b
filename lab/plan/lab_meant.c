#include "lab_meant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cb_text.h"

/* ---- alike ---- */

static bool has_part(const char *name, const char *part) {
  const size_t n = strlen(part);
  for (; strlen(name) >= n; name++)
    if (strncasecmp(name, part, n) == 0) return true;
  return false;
}

/* The ways in which a name may be meant, the surest first. */
typedef enum way { WAY_CASE, WAY_PART, WAYS } way;

static bool is_meant(const char *name, const char *typed, way how) {
  if (how == WAY_CASE) return strcasecmp(name, typed) == 0;
  return strlen(typed) >= LAB_MEANT_PART && has_part(name, typed);
}

static bool is_among(const cb_material_kind *kinds, size_t n, cb_material_kind kind) {
  for (size_t i = 0; i < n; i++)
    if (kinds[i] == kind) return true;
  return false;
}

/* ---- the names ---- */

/* Names in a refusal; of more, how many there are. */
#define NAMED_MOST 6

typedef struct candidates {
  const char *name; /* the first */
  size_t n;         /* that differ */
  char list[600];
} candidates;

static void add_candidate(candidates *c, const char *name) {
  if (c->n > 0 && strcmp(c->name, name) == 0) return; /* a cloth and a body */
  if (c->n++ == 0) c->name = name;
  if (c->n > NAMED_MOST) return;
  cb_text_add(c->list, sizeof c->list, ", ", "'%s'", name);
}

static void find_candidates(const cb_material *list, size_t n, const cb_material_kind *kinds, size_t n_kinds,
                            const char *typed, way how, candidates *out) {
  *out = (candidates){.n = 0};
  for (size_t i = 0; i < n; i++)
    if (is_among(kinds, n_kinds, list[i].kind) && is_meant(list[i].name, typed, how))
      add_candidate(out, list[i].name);
}

static bool is_exact(cb_store *s, const cb_material_kind *kinds, size_t n_kinds, const char *typed) {
  cb_material m;
  for (size_t i = 0; i < n_kinds; i++)
    if (cb_store_material_find(s, kinds[i], typed, &m, NULL) == CB_OK) return true;
  return false;
}

cb_status lab_meant(cb_store *s, const cb_material_kind *kinds, size_t n_kinds, const char *typed,
                    char out[64], cb_err *err) {
  cb_material *list = NULL;
  size_t n = 0;
  candidates c = {.n = 0};
  (void)snprintf(out, 64, "%s", typed);
  if (strlen(typed) >= 64 || is_exact(s, kinds, n_kinds, typed)) return CB_OK;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  for (int how = 0; how < WAYS && c.n == 0; how++)
    find_candidates(list, n, kinds, n_kinds, typed, (way)how, &c);
  if (c.n == 1) (void)snprintf(out, 64, "%s", c.name);
  free(list);
  if (c.n < 2) return CB_OK;
  if (c.n > NAMED_MOST)
    return cb_fail(err, CB_E_ARG, "'%s' may be %s or one of %zu more: more of the name was wanted", typed,
                   c.list, c.n - NAMED_MOST);
  return cb_fail(err, CB_E_ARG, "'%s' may be %s: more of the name was wanted", typed, c.list);
}
