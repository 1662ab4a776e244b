/* YAML files, with errors that name file:line, key, value and what is allowed. Built on libyaml's document
 * interface, as its nodes carry line numbers.
 *
 * A map is bound to a C struct by a table of fields. Unknown keys, doubled keys, wrong kinds, numbers that
 * are not finite and values out of range are refused. A key ends in its unit (speed_mm_per_s); the table's
 * `scale` converts it to SI. */
#ifndef CB_YAML_H
#define CB_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct cb_yaml cb_yaml; /* a parsed document; owns all nodes and texts */

/* A node is a reference into its document and dies with it. */
typedef struct cb_ynode {
  const cb_yaml *doc; /* NULL: the node is absent */
  int index;
} cb_ynode;

/* Read a file, or n bytes of text, with exactly one document. `name` stands for the path in errors. The
 * caller frees *out with cb_yaml_free; *out is NULL on failure. Anchors, aliases and %TAG are refused.
 * CB_E_IO: the file cannot be read. CB_E_PARSE: syntax (with line), not UTF-8, empty, a second document, a
 * NUL byte. CB_E_RANGE: more than 4 MiB, 64 levels or 2 million tokens; a control character in a text.
 * CB_E_NOMEM. */
CB_CHECKED cb_status cb_yaml_load(const char *path, cb_yaml **out, cb_err *err);
CB_CHECKED cb_status cb_yaml_parse(const char *text, size_t n, const char *name, cb_yaml **out, cb_err *err);
/* Frees the document with all nodes and texts. NULL is allowed. */
void cb_yaml_free(cb_yaml *doc);
cb_ynode cb_yaml_root(const cb_yaml *doc);
/* Returns the whole source text, NUL-terminated, for snapshots. It belongs to the document. */
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
  bool required;              /* false: an absent key leaves the member as it is, at its default */
  double min, max;            /* NUM, INT, NUMLIST: bounds in the unit of the key; both 0: no bounds */
  double scale;               /* NUM, NUMLIST: to SI */
  const char *const *choices; /* ENUM */
} cb_yfield;

/* Fills *out from a map node by the table. On failure some members may be filled already.
 * Errors, with file:line. CB_E_PARSE: an unknown, doubled or missing key, or a value of the wrong kind.
 * CB_E_RANGE: a value out of bounds, or a text that is too long. */
CB_CHECKED cb_status cb_yaml_bind(cb_ynode map, const cb_yfield *fields, size_t n_fields, void *out,
                                  cb_err *err);

/* All accept an absent node: false, 0, NULL or another absent node. */
bool cb_yaml_is_list(cb_ynode n);
size_t cb_yaml_count(cb_ynode n);                    /* items of a list, pairs of a map, else 0 */
cb_ynode cb_yaml_item(cb_ynode list, size_t i);      /* i-th item, from 0; absent if out of range */
cb_ynode cb_yaml_get(cb_ynode map, const char *key); /* absent if there is no such key */
const char *cb_yaml_scalar(cb_ynode n);              /* NULL if not a scalar; belongs to the document */
int cb_yaml_line(cb_ynode n);                        /* from 1; 0 if absent */

/* Writes "file:line: <message>" to *err and returns st. For rules that a table of fields cannot express. */
cb_status cb_yaml_fail(cb_ynode at, cb_err *err, cb_status st, const char *fmt, ...) CB_PRINTF(4, 5);

#endif
