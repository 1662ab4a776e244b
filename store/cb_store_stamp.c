/* When a row was made, and under which uuid: the clock and chance, or of a file that is built from text what
 * the text says. */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <xxhash.h>

#include "cb_store_impl.h"
#include "cb_time.h"

void cb_store_stamp(cb_store *s, const char *stamp) {
  (void)snprintf(s->stamp, sizeof s->stamp, "%s", stamp);
}

void cb_store_now(const cb_store *s, char out[32]) {
  if (s->stamp[0])
    memcpy(out, s->stamp, sizeof s->stamp);
  else
    cb_now_iso8601(out);
}

/* Version 4 of RFC 9562 is random bits, version 8 are bits of the program's own making. */
static void write_uuid(unsigned char b[16], int version, char out[37]) {
  b[6] = (unsigned char)((b[6] & 0x0f) | version << 4);
  b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
  (void)snprintf(out, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
                 b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

void cbs_uuid(cb_store *s, const char *source, char out[37]) {
  unsigned char b[16] = {0};
  if (!s->stamp[0]) {
    /* 16 bytes are never cut short once the kernel's pool is ready. */
    (void)!getrandom(b, sizeof b, 0);
    write_uuid(b, 4, out);
    return;
  }
  const uint64_t hash = XXH3_64bits(source, strlen(source));
  s->of_source = hash == s->source ? s->of_source + 1 : 0;
  s->source = hash;
  XXH128_canonical_t text;
  XXH128_canonicalFromHash(&text, XXH3_128bits_withSeed(source, strlen(source), s->of_source));
  memcpy(b, text.digest, sizeof b);
  write_uuid(b, 8, out);
}
