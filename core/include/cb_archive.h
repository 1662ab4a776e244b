/* A state as bytes. One function per model lists what the next step reads, and serves both
 * directions: what it lists is saved, and loaded in the same order. Numbers are little-endian.
 *
 * Reading writes into the state at once. The first thing that is wrong - bytes that end too soon, a number
 * that the state cannot hold - is remembered in `wrong`; from then on nothing is changed. Whoever started the
 * reading looks at `wrong` and puts back what was there. */
#ifndef CB_ARCHIVE_H
#define CB_ARCHIVE_H

#include "cb_bytes.h"

typedef struct cb_archive {
  cb_bytes *out;           /* NULL: reading */
  const unsigned char *at; /* what is still to be read ... */
  size_t left;             /* ... and how long it is */
  const char *wrong;       /* NULL: nothing so far */
} cb_archive;

/* `out` is the caller's, begun as {0}; whether memory was short stands there. */
cb_archive cb_archive_writer(cb_bytes *out);
cb_archive cb_archive_reader(const unsigned char *data, size_t n);
bool cb_archive_reads(const cb_archive *a);
/* Reading, and nothing was wrong yet. */
bool cb_archive_good(const cb_archive *a);
void cb_archive_fail(cb_archive *a, const char *wrong);

/* n numbers of finite value, none larger than `most` either way. */
void cb_archive_f64(cb_archive *a, double *value, size_t n, double most);
void cb_archive_f32(cb_archive *a, float *value, size_t n, float most);
/* n whole numbers from `low` to `high`. */
void cb_archive_int(cb_archive *a, int *value, size_t n, int low, int high);
void cb_archive_long(cb_archive *a, long *value, size_t n);
void cb_archive_bool(cb_archive *a, bool *value, size_t n);

/* No place, velocity or force of a scene is larger. */
#define CB_ARCHIVE_FAR 1e9

#endif
