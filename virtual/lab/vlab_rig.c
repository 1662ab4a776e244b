/* The rig file of the demo, with another seed and another friction. */
#include <stdlib.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_file.h"
#include "cb_num.h"
#include "vlab_impl.h"

#define MAX_BYTES ((size_t)1 << 20)

/* The first place after *at where the key stands as a word, followed by its colon; moves *at behind it. */
static const char *find_key(const char *text, const char *key) {
  const size_t n = strlen(key);
  for (const char *p = text; (p = strstr(p, key)); p += n)
    if ((p == text || strchr(" \n{,", p[-1])) && p[n] == ':') return p + n + 1;
  return NULL;
}

typedef struct change {
  const char *key;
  double factor, add;
} change;

/* Copies up to the key's number, and writes the changed number. */
static cb_status put_changed(FILE *out, const char **at, const change *c, const char *name, cb_err *err) {
  const char *number = find_key(*at, c->key);
  if (!number) return cb_fail(err, CB_E_PARSE, "%s: has no key '%s'", name, c->key);
  number += strspn(number, " ");
  char text[32] = "", shortest[32];
  double value;
  const size_t n = strcspn(number, " ,}\r\n");
  (void)snprintf(text, sizeof text, "%.*s", (int)n, number);
  CB_TRY(cb_parse_double(text, c->key, &value, err));
  (void)fwrite(*at, 1, (size_t)(number - *at), out);
  (void)fprintf(out, "%s", cb_shortest(c->factor * value + c->add, shortest));
  *at = number + n;
  return CB_OK;
}

cb_status vlab_rig(const char *from, uint64_t seed, double factor, const char *to, cb_err *err) {
  const change changes[] = {
      {"seed", 0, (double)seed}, {"c00", factor, 0}, {"c01", factor, 0}, {"c11", factor, 0}};
  char *text;
  size_t n;
  cb_draft out;
  CB_TRY(cb_file_read(from, MAX_BYTES, &text, &n, err));
  const char *at = strstr(text, "\nvirtual:");
  cb_status st = cb_draft_begin(&out, err);
  if (st == CB_OK && !at) at = text;
  if (st == CB_OK) (void)fwrite(text, 1, (size_t)(at - text), out.to);
  for (size_t i = 0; st == CB_OK && i < sizeof changes / sizeof changes[0]; i++)
    st = put_changed(out.to, &at, &changes[i], from, err);
  if (out.to && st == CB_OK) (void)fputs(at, out.to);
  st = cb_draft_save(&out, st, to, err);
  free(text);
  return st;
}
