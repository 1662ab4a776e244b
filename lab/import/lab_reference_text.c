/* Numbers, texts and lists of ids as YAML. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_array.h"
#include "cb_num.h"
#include "cb_text.h"
#include "lab_reference_impl.h"

/* The only character that needs care is the quote itself, once control characters are shown. */
void lab_reference_put_text(FILE *f, const char *text) {
  char shown[16];
  fputc('\'', f);
  for (size_t n; (n = cb_text_next(text, shown)) > 0; text += n) fputs(*text == '\'' ? "''" : shown, f);
  fputc('\'', f);
}

void lab_reference_put_text_field(FILE *f, const char *key, const char *text) {
  fprintf(f, "    %s: ", key);
  lab_reference_put_text(f, text);
  fputc('\n', f);
}

void lab_reference_put_real(FILE *f, const char *before, double v) {
  char text[32];
  fprintf(f, "%s%s", before, cb_shortest(v, text));
}

void lab_reference_put_real_field(FILE *f, const char *key, double v) {
  fprintf(f, "    %s", key);
  lab_reference_put_real(f, ": ", v);
  fputc('\n', f);
}

void lab_reference_put_ids(FILE *f, const char *key, const int64_t *ids, size_t n) {
  if (n == 0) return;
  fprintf(f, "    %s: '", key);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && ids[end] == ids[end - 1] + 1;) end++;
    fprintf(f, "%s%lld", i > 0 ? " " : "", (long long)ids[i]);
    if (end > i + 1) fprintf(f, "-%lld", (long long)ids[end - 1]);
  }
  fputs("'\n", f);
}

#define MOST_IDS 100000

typedef struct id_list {
  int64_t *ids;
  size_t n, cap;
} id_list;

/* Advances *text over "FIRST" or "FIRST-LAST". False: it is neither, or does not ascend. */
static bool read_range(const char **text, int64_t above, int64_t *first, int64_t *last) {
  char *end;
  *first = *last = strtoll(*text, &end, 10);
  if (end == *text) return false;
  if (*end == '-') {
    const char *from = end + 1;
    *last = strtoll(from, &end, 10);
    if (end == from) return false;
  }
  *text = end;
  return *first > above && *last >= *first && *last - *first < MOST_IDS;
}

static bool append_range(id_list *l, int64_t first, int64_t last) {
  const size_t more = (size_t)(last - first) + 1;
  int64_t *grown = l->n + more > MOST_IDS ? NULL : cb_array_grow(l->ids, &l->cap, l->n + more, sizeof *grown);
  if (!grown) return false;
  l->ids = grown;
  for (int64_t id = first; id <= last; id++) l->ids[l->n++] = id;
  return true;
}

cb_status lab_reference_read_ids(cb_ynode node, int64_t **ids, size_t *n, cb_err *err) {
  id_list l = {.n = 0};
  const char *text = cb_yaml_scalar(node);
  int64_t first, last = 0;
  *ids = NULL;
  *n = 0;
  if (!text) return CB_OK;
  const char *const whole = text;
  while (*text) {
    const bool good = read_range(&text, last, &first, &last) && (*text == ' ' || !*text);
    if (!good || !append_range(&l, first, last)) {
      free(l.ids);
      return cb_yaml_fail(node, err, CB_E_PARSE, "'%.40s': ascending ids such as '1-9 28' were wanted",
                          whole);
    }
    while (*text == ' ') text++;
  }
  *ids = l.ids;
  *n = l.n;
  return CB_OK;
}

cb_status lab_reference_check_origin(cb_ynode item, cb_origin origin, const char *what, cb_err *err) {
  if (cb_origin_is_real(origin)) return CB_OK;
  return cb_yaml_fail(item, err, CB_E_RANGE,
                      "origin: a reference database holds measured or imported %s only", what);
}
