#include "cb_gzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

bool cb_gzip_is(const void *bytes, size_t n) {
  const unsigned char *b = bytes;
  return n >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

/* zlib counts in unsigned int: what is given and what is taken come in pieces below 1 GiB. */
#define PIECE ((size_t)1 << 30)

/* Texts of meshes take 3 to 10 times their packed size. What takes far more is made to fill the memory, and
 * says nothing worth the time to read it. */
#define MOST_TIMES 100
#define SMALL_BYTES ((size_t)1 << 20)

static cb_status fail_large(const char *name, size_t n, size_t most, size_t max_bytes, cb_err *err) {
  if (most == max_bytes)
    return cb_fail(err, CB_E_RANGE, "%s: larger than the allowed %zu bytes when unpacked", name, max_bytes);
  return cb_fail(err, CB_E_RANGE,
                 "%s: its %zu bytes of gzip unpack to more than the allowed %d times as much", name, n,
                 MOST_TIMES);
}

/* Bytes that n bytes of gzip may unpack to. */
static size_t most_of(size_t n, size_t max_bytes) {
  const size_t most = MOST_TIMES * n < SMALL_BYTES ? SMALL_BYTES : MOST_TIMES * n;
  return most < max_bytes ? most : max_bytes;
}

/* Files may have several members, one behind the other. */
static bool begin_next_member(z_stream *z) {
  return cb_gzip_is(z->next_in, z->avail_in) && inflateReset(z) == Z_OK;
}

static cb_status unpack(z_stream *z, size_t n, const char *name, size_t max_bytes, char **text,
                        size_t *n_text, cb_err *err) {
  const size_t most = most_of(n, max_bytes);
  size_t cap = 4 * n < 4096 ? 4096 : 4 * n;
  if (cap > most) cap = most;
  for (;;) {
    char *grown = realloc(*text, cap + 1);
    if (!grown) return cb_no_memory(err, "%s, %zu bytes", name, cap);
    *text = grown;
    size_t room = cap - *n_text < PIECE ? cap - *n_text : PIECE;
    z->next_out = (unsigned char *)*text + *n_text;
    z->avail_out = (unsigned)room;
    int code = inflate(z, Z_NO_FLUSH);
    *n_text += room - z->avail_out;
    if (code == Z_STREAM_END && !begin_next_member(z)) break;
    if (code == Z_STREAM_END) continue;
    if (code == Z_MEM_ERROR) return cb_no_memory(err, "%s, to unpack it", name);
    if (code != Z_OK && code != Z_BUF_ERROR)
      return cb_fail(err, CB_E_PARSE, "%s: damaged gzip: %s", name, z->msg ? z->msg : "bad data");
    if (z->avail_out > 0) return cb_fail(err, CB_E_PARSE, "%s: gzip that ends too early", name);
    if (*n_text >= most) return fail_large(name, n, most, max_bytes, err);
    if (*n_text == cap) cap = cap > most / 2 ? most : 2 * cap;
  }
  (*text)[*n_text] = '\0';
  return CB_OK;
}

cb_status cb_gzip_unpack(const void *bytes, size_t n, const char *name, size_t max_bytes, char **text,
                         size_t *n_text, cb_err *err) {
  *text = NULL;
  *n_text = 0;
  if (n >= PIECE)
    return cb_fail(err, CB_E_RANGE, "%s: %zu bytes of gzip: fewer than %zu were wanted", name, n, PIECE);
  z_stream z = {0};
  z.next_in = (unsigned char *)bytes; /* zlib reads only, without saying so */
  z.avail_in = (unsigned)n;
  if (inflateInit2(&z, 15 + 16) != Z_OK) return cb_no_memory(err, "%s, to unpack it", name);
  cb_status st = unpack(&z, n, name, max_bytes, text, n_text, err);
  inflateEnd(&z);
  if (st != CB_OK) {
    free(*text);
    *text = NULL;
    *n_text = 0;
  }
  return st;
}
