#include "law_rows.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(NAME, name) &law_##name,
static const law_row *const table[] = {CB_LAWS(ROW)};
#define WORD(NAME, name) #name,
const char *const cb_material_law_kind_names[] = {CB_LAWS(WORD) NULL};

const law_row *law_of_kind(cb_material_law_kind kind) { return table[kind]; }

const char *law_ref(const char *law, int64_t id, char out[LAW_REF]) {
  const int letter = strcmp(law, "self-friction") == 0 ? 'T' : toupper((unsigned char)law[0]);
  (void)snprintf(out, LAW_REF, "%c%lld", letter, (long long)id);
  return out;
}

void law_tell(law_take *take, void *to, law_figure f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(f.at, sizeof f.at, format, args);
  va_end(args);
  take(to, &f);
}

const char *law_outside(bool inside_measured_range) {
  return inside_measured_range ? "" : ", not measured there";
}

cb_status law_read(cb_material_law_kind kind, const char *text, void *law, cb_err *err) {
  json_error_t at;
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &at);
  if (!doc)
    return cb_fail(err, CB_E_PARSE, "law of %s: line %d: %s", cb_material_law_kind_names[kind], at.line,
                   at.text);
  const cb_status st = law_of_kind(kind)->read(doc, law, err);
  json_decref(doc);
  return st;
}

cb_status law_numbers(cb_material_law_kind kind, const char *text, law_take *take, void *to, cb_err *err) {
  const law_row *l = law_of_kind(kind);
  void *read = malloc(l->size); /* that of stretch is large */
  if (!read) return cb_no_memory(err, "a law of %s", cb_material_law_kind_names[kind]);
  const cb_status st = law_read(kind, text, read, err);
  if (st == CB_OK && take && l->number) l->number(read, take, to);
  free(read);
  return st;
}

cb_status law_check(cb_material_law_kind kind, const char *text, cb_err *err) {
  return law_numbers(kind, text, NULL, NULL, err);
}
