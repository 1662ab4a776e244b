#include "cb_yaml.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "cb_file.h"
#include "cb_nearest.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "cb_text.h"
#include "cb_text_impl.h"

#define MAX_YAML_BYTES ((size_t)4 << 20)
#define MAX_DEPTH 64       /* of lists and maps; our deepest file has 6 */
#define MAX_TOKENS 2000000 /* our longest file has some 10000 */

struct cb_yaml {
  char *name;
  char *text;
  yaml_document_t doc;
  bool has_doc;
};

void cb_yaml_free(cb_yaml *doc) {
  if (!doc) return;
  if (doc->has_doc) yaml_document_delete(&doc->doc);
  free(doc->name);
  free(doc->text);
  free(doc);
}

/* libyaml takes node lists by value of a struct that it does not declare const. */
static yaml_node_t *node_of(cb_ynode n) {
  if (!n.doc) return NULL;
  yaml_document_t *d = (yaml_document_t *)(uintptr_t)&n.doc->doc;
  return yaml_document_get_node(d, n.index);
}

static cb_status fail_invalid(const cb_yaml *y, const yaml_parser_t *parser, cb_err *err) {
  if (parser->error == YAML_MEMORY_ERROR) return cb_no_memory(err, "%s, the YAML parser", y->name);
  return cb_fail(err, CB_E_PARSE, "%s:%zu: not valid YAML: %s", y->name, parser->problem_mark.line + 1,
                 parser->problem ? parser->problem : "unreadable");
}

/* ---- before the parser: what would keep it for minutes, and what our files have no use for ---- */

/* Per token libyaml looks at every level, per anchor and alias at every anchor, per %TAG at every %TAG. */
static cb_status check_token(const cb_yaml *y, const yaml_token_t *token, int *depth, size_t *count,
                             cb_err *err) {
  size_t line = token->start_mark.line + 1;
  switch (token->type) {
    case YAML_BLOCK_SEQUENCE_START_TOKEN:
    case YAML_BLOCK_MAPPING_START_TOKEN:
    case YAML_FLOW_SEQUENCE_START_TOKEN:
    case YAML_FLOW_MAPPING_START_TOKEN: (*depth)++; break;
    case YAML_BLOCK_END_TOKEN:
    case YAML_FLOW_SEQUENCE_END_TOKEN:
    case YAML_FLOW_MAPPING_END_TOKEN: (*depth)--; break;
    case YAML_ANCHOR_TOKEN:
    case YAML_ALIAS_TOKEN:
      return cb_fail(err, CB_E_PARSE,
                     "%s:%zu: an anchor or alias (&name, *name): the value itself was wanted", y->name, line);
    case YAML_TAG_DIRECTIVE_TOKEN:
      return cb_fail(err, CB_E_PARSE, "%s:%zu: %%TAG: a file without it was wanted", y->name, line);
    default: break;
  }
  if (*depth > MAX_DEPTH)
    return cb_fail(err, CB_E_RANGE, "%s:%zu: lists and maps more than %d deep: fewer were wanted", y->name,
                   line, MAX_DEPTH);
  if (++*count > MAX_TOKENS)
    return cb_fail(err, CB_E_RANGE, "%s:%zu: more than %d values, keys and marks", y->name, line, MAX_TOKENS);
  return CB_OK;
}

static cb_status check_tokens(const cb_yaml *y, size_t n, cb_err *err) {
  yaml_parser_t parser;
  yaml_token_t token;
  int depth = 0;
  size_t count = 0;
  cb_status st = CB_OK;
  if (!yaml_parser_initialize(&parser)) return cb_no_memory(err, "%s, the YAML parser", y->name);
  yaml_parser_set_input_string(&parser, (const unsigned char *)y->text, n);
  for (bool end = false; st == CB_OK && !end;) {
    if (!yaml_parser_scan(&parser, &token)) {
      st = fail_invalid(y, &parser, err);
      break;
    }
    end = token.type == YAML_STREAM_END_TOKEN;
    st = check_token(y, &token, &depth, &count, err);
    yaml_token_delete(&token);
  }
  yaml_parser_delete(&parser);
  return st;
}

/* ---- the document ---- */

/* Everything downstream handles NUL-terminated text. What becomes of a text is not known here: a name, a
 * note, part of a script. Comments count too, as the file's text is kept. */
static cb_status check_texts(const cb_yaml *y, cb_err *err) {
  for (const yaml_node_t *node = y->doc.nodes.start; node < y->doc.nodes.top; node++) {
    char where[32];
    if (node->type != YAML_SCALAR_NODE) continue;
    (void)snprintf(where, sizeof where, "%zu", node->start_mark.line + 1);
    if (strlen((const char *)node->data.scalar.value) != node->data.scalar.length)
      return cb_fail(err, CB_E_PARSE, "%s:%s: the text holds a NUL byte", y->name, where);
    bool separator = strcmp((const char *)node->data.scalar.value, "\t") == 0; /* of a table's cells */
    cb_status st = separator ? CB_OK : cb_check_line((const char *)node->data.scalar.value, "text", err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s:%s", y->name, where);
  }
  cb_status st = cb_check_lines(y->text, "text", err);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "%s", y->name);
}

static cb_status load_document(cb_yaml *y, size_t n, cb_err *err) {
  yaml_parser_t parser;
  CB_TRY(check_tokens(y, n, err));
  if (!yaml_parser_initialize(&parser)) return cb_no_memory(err, "%s, the YAML parser", y->name);
  yaml_parser_set_input_string(&parser, (const unsigned char *)y->text, n);
  cb_status st = CB_OK;
  if (!yaml_parser_load(&parser, &y->doc)) {
    st = fail_invalid(y, &parser, err);
    goto done;
  }
  y->has_doc = true;
  if (!yaml_document_get_root_node(&y->doc)) {
    st = cb_fail(err, CB_E_PARSE, "%s: is empty, keys were wanted", y->name);
    goto done;
  }
  yaml_document_t second;
  if (!yaml_parser_load(&parser, &second)) {
    st = fail_invalid(y, &parser, err);
    goto done;
  }
  if (yaml_document_get_root_node(&second))
    st = cb_fail(err, CB_E_PARSE, "%s:%zu: a second document ('---') begins here, one was wanted", y->name,
                 second.start_mark.line + 1);
  yaml_document_delete(&second);
  if (st == CB_OK) st = check_texts(y, err);
done:
  yaml_parser_delete(&parser);
  return st;
}

/* Takes over text. */
static cb_status parse_owned(char *text, size_t n, const char *name, cb_yaml **out, cb_err *err) {
  *out = NULL;
  cb_yaml *y = calloc(1, sizeof *y);
  if (y) y->name = strdup(name);
  if (!y || !y->name) {
    free(text);
    cb_yaml_free(y);
    return cb_no_memory(err, "%s", name);
  }
  y->text = text;
  cb_status st = load_document(y, n, err);
  if (st != CB_OK)
    cb_yaml_free(y);
  else
    *out = y;
  return st;
}

cb_status cb_yaml_load(const char *path, cb_yaml **out, cb_err *err) {
  char *text;
  size_t n;
  *out = NULL;
  CB_TRY(cb_file_read(path, MAX_YAML_BYTES, &text, &n, err));
  return parse_owned(text, n, path, out, err);
}

cb_status cb_yaml_parse(const char *text, size_t n, const char *name, cb_yaml **out, cb_err *err) {
  *out = NULL;
  if (n > MAX_YAML_BYTES)
    return cb_fail(err, CB_E_RANGE, "%s: larger than the allowed %zu bytes", name, MAX_YAML_BYTES);
  char *copy = malloc(n + 1);
  if (!copy) return cb_no_memory(err, "%s, %zu bytes", name, n);
  if (n) memcpy(copy, text, n);
  copy[n] = '\0';
  return parse_owned(copy, n, name, out, err);
}

cb_ynode cb_yaml_root(const cb_yaml *doc) { return (cb_ynode){doc, 1}; }
const char *cb_yaml_text(const cb_yaml *doc) { return doc->text; }

static bool is_map(cb_ynode n) {
  const yaml_node_t *y = node_of(n);
  return y && y->type == YAML_MAPPING_NODE;
}

bool cb_yaml_is_list(cb_ynode n) {
  const yaml_node_t *y = node_of(n);
  return y && y->type == YAML_SEQUENCE_NODE;
}

size_t cb_yaml_count(cb_ynode n) {
  const yaml_node_t *y = node_of(n);
  if (!y) return 0;
  if (y->type == YAML_SEQUENCE_NODE)
    return (size_t)(y->data.sequence.items.top - y->data.sequence.items.start);
  if (y->type == YAML_MAPPING_NODE) return (size_t)(y->data.mapping.pairs.top - y->data.mapping.pairs.start);
  return 0;
}

cb_ynode cb_yaml_item(cb_ynode list, size_t i) {
  if (!cb_yaml_is_list(list) || i >= cb_yaml_count(list)) return (cb_ynode){NULL, 0};
  return (cb_ynode){list.doc, node_of(list)->data.sequence.items.start[i]};
}

const char *cb_yaml_scalar(cb_ynode n) {
  const yaml_node_t *y = node_of(n);
  return y && y->type == YAML_SCALAR_NODE ? (const char *)y->data.scalar.value : NULL;
}

int cb_yaml_line(cb_ynode n) {
  const yaml_node_t *y = node_of(n);
  return y ? (int)y->start_mark.line + 1 : 0;
}

cb_ynode cb_yaml_get(cb_ynode map, const char *key) {
  if (!is_map(map)) return (cb_ynode){NULL, 0};
  const yaml_node_t *y = node_of(map);
  for (const yaml_node_pair_t *p = y->data.mapping.pairs.start; p < y->data.mapping.pairs.top; p++) {
    const char *name = cb_yaml_scalar((cb_ynode){map.doc, p->key});
    if (name && strcmp(name, key) == 0) return (cb_ynode){map.doc, p->value};
  }
  return (cb_ynode){NULL, 0};
}

cb_status cb_yaml_fail(cb_ynode at, cb_err *err, cb_status st, const char *fmt, ...) {
  cb_err inner;
  va_list ap;
  va_start(ap, fmt);
  (void)vsnprintf(inner.msg, sizeof inner.msg, fmt, ap);
  va_end(ap);
  return cb_fail(err, st, "%s:%d: %s", at.doc ? at.doc->name : "(no file)", cb_yaml_line(at), inner.msg);
}

/* Puts file:line in front of a sentence that already names the key. */
static cb_status located(cb_ynode at, cb_err *err, cb_status st) {
  return st == CB_OK ? CB_OK
                     : cb_fail_in(err, st, "%s:%d", at.doc ? at.doc->name : "(no file)", cb_yaml_line(at));
}

static cb_status want_scalar(cb_ynode value, const char *key, const char **text, cb_err *err) {
  *text = cb_yaml_scalar(value);
  if (!*text)
    return cb_yaml_fail(value, err, CB_E_PARSE, "%s: a single value was wanted, not a %s", key,
                        is_map(value) ? "map" : "list");
  return CB_OK;
}

static cb_status read_number(cb_ynode value, const cb_yfield *f, double *out, cb_err *err) {
  const char *text;
  CB_TRY(want_scalar(value, f->key, &text, err));
  double v;
  CB_TRY(located(value, err, cb_parse_double(text, f->key, &v, err)));
  if (f->min != 0 || f->max != 0)
    CB_TRY(located(value, err, cb_check_range(v, f->min, f->max, f->key, "", err)));
  *out = v * (f->scale != 0 ? f->scale : 1);
  return CB_OK;
}

static cb_status read_int(cb_ynode value, const cb_yfield *f, int *out, cb_err *err) {
  const char *text;
  long long v;
  CB_TRY(want_scalar(value, f->key, &text, err));
  CB_TRY(located(value, err, cb_parse_int(text, f->key, &v, err)));
  if (f->min != 0 || f->max != 0)
    CB_TRY(located(value, err, cb_check_range((double)v, f->min, f->max, f->key, "", err)));
  if (v < -2147483647 || v > 2147483647)
    return cb_yaml_fail(value, err, CB_E_RANGE, "%s = %lld: too large", f->key, v);
  *out = (int)v;
  return CB_OK;
}

static cb_status read_text(cb_ynode value, const cb_yfield *f, char *out, cb_err *err) {
  const char *text;
  CB_TRY(want_scalar(value, f->key, &text, err));
  if (strlen(text) >= f->size)
    return cb_yaml_fail(value, err, CB_E_RANGE, "%s = '%.40s...': must be shorter than %zu bytes", f->key,
                        text, f->size);
  strcpy(out, text);
  return CB_OK;
}

static cb_status read_bool(cb_ynode value, const cb_yfield *f, bool *out, cb_err *err) {
  const char *text;
  CB_TRY(want_scalar(value, f->key, &text, err));
  *out = strcmp(text, "true") == 0;
  if (*out || strcmp(text, "false") == 0) return CB_OK;
  return cb_yaml_fail(value, err, CB_E_PARSE, "%s = '%.60s': must be true or false", f->key, text);
}

static cb_status read_enum(cb_ynode value, const cb_yfield *f, int *out, cb_err *err) {
  const char *text;
  char list[200] = "";
  CB_TRY(want_scalar(value, f->key, &text, err));
  for (int i = 0; f->choices[i]; i++) {
    if (strcmp(text, f->choices[i]) == 0) {
      *out = i;
      return CB_OK;
    }
    cb_text_add(list, sizeof list, " | ", "%s", f->choices[i]);
  }
  return cb_yaml_fail(value, err, CB_E_PARSE, "%s = '%.60s': must be %s", f->key, text, list);
}

static cb_status read_numlist(cb_ynode value, const cb_yfield *f, cb_numlist *out, cb_err *err) {
  size_t n = cb_yaml_count(value);
  if (!cb_yaml_is_list(value) || n == 0)
    return cb_yaml_fail(value, err, CB_E_PARSE, "%s: a list of numbers was wanted, e.g. [0, 45, 90]", f->key);
  if (n > CB_NUMLIST_MAX)
    return cb_yaml_fail(value, err, CB_E_RANGE, "%s: %zu number%s, at most %d are allowed", f->key, n,
                        CB_S(n), CB_NUMLIST_MAX);
  for (size_t i = 0; i < n; i++) CB_TRY(read_number(cb_yaml_item(value, i), f, &out->v[i], err));
  out->n = n;
  return CB_OK;
}

static cb_status read_field(cb_ynode value, const cb_yfield *f, void *out, cb_err *err) {
  char *at = (char *)out + f->offset;
  switch (f->kind) {
    case CB_Y_STR: return read_text(value, f, at, err);
    case CB_Y_NUM: return read_number(value, f, (double *)(void *)at, err);
    case CB_Y_INT: return read_int(value, f, (int *)(void *)at, err);
    case CB_Y_BOOL: return read_bool(value, f, (bool *)(void *)at, err);
    case CB_Y_ENUM: return read_enum(value, f, (int *)(void *)at, err);
    case CB_Y_NUMLIST: return read_numlist(value, f, (cb_numlist *)(void *)at, err);
    case CB_Y_NODE: *(cb_ynode *)(void *)at = value; return CB_OK;
  }
  return cb_fail(err, CB_E_ARG, "field kind %d", (int)f->kind);
}

static const cb_yfield *field_named(const cb_yfield *fields, size_t n, const char *key) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(fields[i].key, key) == 0) return &fields[i];
  return NULL;
}

static const cb_yfield *nearest_field(const cb_yfield *fields, size_t n, const char *name) {
  const cb_yfield *meant = NULL;
  size_t best = strlen(name) / 3 + 1;
  for (size_t i = 0; i < n; i++) {
    const size_t distance = cb_edit_distance(name, fields[i].key);
    if (distance >= best) continue;
    best = distance;
    meant = &fields[i];
  }
  return meant;
}

static cb_status unknown_key(cb_ynode key, const cb_yfield *fields, size_t n, cb_err *err) {
  char list[300] = "";
  for (size_t i = 0; i < n; i++) cb_text_add(list, sizeof list, ", ", "%s", fields[i].key);
  const char *name = cb_yaml_scalar(key);
  const cb_yfield *meant = name ? nearest_field(fields, n, name) : NULL;
  return cb_yaml_fail(key, err, CB_E_PARSE, "unknown key '%.60s'%s%s%s allowed are: %s",
                      name ? name : "(not a text)", meant ? ": did you mean '" : ";", meant ? meant->key : "",
                      meant ? "'?" : "", list);
}

/* All of them at once. */
static cb_status check_present(cb_ynode map, const cb_yfield *fields, size_t n, cb_err *err) {
  char list[400] = "";
  size_t missing = 0;
  for (size_t i = 0; i < n; i++) {
    if (!fields[i].required || cb_yaml_get(map, fields[i].key).doc) continue;
    cb_text_add(list, sizeof list, ", ", "'%s'", fields[i].key);
    missing++;
  }
  if (missing == 0) return CB_OK;
  return cb_yaml_fail(map, err, CB_E_PARSE,
                      missing == 1 ? "the key %s is missing" : "the keys %s are missing", list);
}

cb_status cb_yaml_bind(cb_ynode map, const cb_yfield *fields, size_t n_fields, void *out, cb_err *err) {
  if (!is_map(map)) return cb_yaml_fail(map, err, CB_E_PARSE, "a map of keys was wanted here");
  const yaml_node_t *y = node_of(map);
  for (const yaml_node_pair_t *p = y->data.mapping.pairs.start; p < y->data.mapping.pairs.top; p++) {
    cb_ynode key = {map.doc, p->key}, value = {map.doc, p->value};
    const char *name = cb_yaml_scalar(key);
    const cb_yfield *f = name ? field_named(fields, n_fields, name) : NULL;
    if (!f) return unknown_key(key, fields, n_fields, err);
    if (cb_yaml_get(map, name).index != p->value)
      return cb_yaml_fail(key, err, CB_E_PARSE, "the key '%s' stands twice", name);
    CB_TRY(read_field(value, f, out, err));
  }
  return check_present(map, fields, n_fields, err);
}
