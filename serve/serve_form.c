/* A form, as a browser sends it. */
#include <stdlib.h>
#include <string.h>

#include "serve_impl.h"

#define FIELDS 16
#define VALUE_BYTES 2048
#define KEY_BYTES 32
#define PARSER_BYTES 1024

typedef struct field {
  char key[KEY_BYTES], value[VALUE_BYTES];
} field;

struct serve_form {
  struct MHD_PostProcessor *parser;
  field list[FIELDS];
  size_t n, bytes;
};

static enum MHD_Result on_value(void *context, enum MHD_ValueKind kind, const char *key, const char *filename,
                                const char *type, const char *encoding, const char *data, uint64_t at,
                                size_t n) {
  serve_form *f = context;
  (void)kind, (void)type, (void)encoding;
  if (at == 0 && f->n == FIELDS) return MHD_NO;
  if (!key || filename || strlen(key) >= KEY_BYTES || at + n >= VALUE_BYTES) return MHD_NO;
  if (n > 0 && memchr(data, '\0', n)) return MHD_NO;
  if (at == 0) strcpy(f->list[f->n++].key, key);
  if (n > 0) memcpy(f->list[f->n - 1].value + at, data, n);
  return MHD_YES;
}

serve_form *serve_form_make(struct MHD_Connection *c) {
  serve_form *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->parser = MHD_create_post_processor(c, PARSER_BYTES, on_value, f);
  if (f->parser) return f;
  free(f);
  return NULL;
}

bool serve_form_add(serve_form *f, const char *data, size_t n) {
  f->bytes += n;
  return f->bytes <= SERVE_REQUEST_BYTES && MHD_post_process(f->parser, data, n) == MHD_YES;
}

const char *serve_form_value(const serve_form *f, const char *key) {
  for (size_t i = 0; i < f->n; i++)
    if (strcmp(f->list[i].key, key) == 0) return f->list[i].value;
  return NULL;
}

void serve_form_end(serve_form *f) {
  if (!f) return;
  (void)MHD_destroy_post_processor(f->parser);
  free(f);
}
