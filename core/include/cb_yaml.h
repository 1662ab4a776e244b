/* YAML with errors a person can act on: file:line, key, value, what is allowed. Built on libyaml's document API, because
 * its nodes carry line numbers.
 *
 * A map is bound to a C struct by a table of fields. Unknown keys, duplicate keys, wrong kinds, non-finite numbers and
 * values out of range are refused. Keys end in their unit (speed_mm_per_s); the table's `scale` turns it into SI. */
#ifndef CB_YAML_H
#define CB_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct cb_yaml cb_yaml; /* a parsed document; owns all nodes and texts */

typedef struct cb_ynode {
  const cb_yaml *doc; /* NULL: absent */
  int index;
} cb_ynode;

/* One document per file. Errors: cannot open, not UTF-8, syntax (with line), empty. *out is NULL on failure. */
CB_CHECKED cb_status cb_yaml_load(const char *path, cb_yaml **out, cb_err *err);
CB_CHECKED cb_status cb_yaml_parse(const char *text, size_t n, const char *name, cb_yaml **out, cb_err *err);
void cb_yaml_free(cb_yaml *doc);
cb_ynode cb_yaml_root(const cb_yaml *doc);
/* The whole source text (NUL-terminated), for snapshots. */
const char *cb_yaml_text(const cb_yaml *doc);

typedef enum cb_ykind {
  CB_Y_STR,     /* char[size]; longer text is refused */
  CB_Y_NUM,     /* double, stored as value * scale (scale 0 means 1) */
  CB_Y_INT,     /* int */
  CB_Y_BOOL,    /* bool: true | false */
  CB_Y_ENUM,    /* int: index into choices (NULL-terminated) */
  CB_Y_NUMLIST, /* cb_numlist */
  CB_Y_NODE     /* cb_ynode: a nested map or list, bound by the caller */
} cb_ykind;

#define CB_NUMLIST_MAX 64
typedef struct cb_numlist {
  size_t n;
  double v[CB_NUMLIST_MAX];
} cb_numlist;

typedef struct cb_yfield {
  const char *key;
  cb_ykind kind;
  size_t offset;              /* offsetof(struct, member) */
  size_t size;                /* CB_Y_STR: sizeof member */
  bool required;              /* absent and not required: the struct keeps the default it holds */
  double min, max;            /* NUM, INT, NUMLIST: in the unit of the key; min == max == 0: no bounds */
  double scale;               /* NUM, NUMLIST: to SI */
  const char *const *choices; /* ENUM */
} cb_yfield;

/* Fills *out from a map node by the table. */
CB_CHECKED cb_status cb_yaml_bind(cb_ynode map, const cb_yfield *fields, size_t n_fields, void *out, cb_err *err);

bool cb_yaml_is_list(cb_ynode n);
size_t cb_yaml_count(cb_ynode n);                    /* items of a list, pairs of a map, else 0 */
cb_ynode cb_yaml_item(cb_ynode list, size_t i);      /* i-th item; absent node if out of range */
cb_ynode cb_yaml_get(cb_ynode map, const char *key); /* absent node if there is none */
const char *cb_yaml_scalar(cb_ynode n);              /* NULL if not a scalar */
int cb_yaml_line(cb_ynode n);                        /* from 1 */

/* "file:line: key: <message>" for rules a table cannot say. Returns st. */
cb_status cb_yaml_fail(cb_ynode at, cb_err *err, cb_status st, const char *fmt, ...) CB_PRINTF(4, 5);

#endif
