/* A workbook out of its parts, for tests and fuzzing. */
#ifndef BOOKTEST_H
#define BOOKTEST_H

#include <stdlib.h>
#include <string.h>
#include <zip.h>

typedef struct book_part_text {
  const char *path, *text;
  size_t n; /* bytes */
} book_part_text;

/* Returns the bytes of a packed file with these parts; NULL without memory. The caller frees them. */
static inline char *bookt_pack(const book_part_text *parts, size_t n_parts, size_t *n) {
  zip_error_t error;
  zip_stat_t about;
  zip_error_init(&error);
  zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
  zip_t *zip = source ? zip_open_from_source(source, ZIP_TRUNCATE, &error) : NULL;
  char *out = NULL;
  if (!zip) return NULL;
  zip_source_keep(source);
  for (size_t i = 0; i < n_parts; i++)
    (void)zip_file_add(zip, parts[i].path, zip_source_buffer(zip, parts[i].text, parts[i].n, 0), 0);
  if (zip_close(zip) == 0 && zip_source_stat(source, &about) == 0 && zip_source_open(source) == 0) {
    *n = (size_t)about.size;
    out = malloc(*n + 1);
    if (out && zip_source_read(source, out, *n) != (zip_int64_t)*n) *n = 0;
    (void)zip_source_close(source);
  }
  zip_source_free(source);
  return out;
}

#endif
