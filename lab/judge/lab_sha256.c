#include "lab_sha256.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdint.h>

void lab_sha256(const void *data, size_t n, char out[LAB_SHA256_TEXT]) {
  uint8_t digest[SHA256_DIGEST_SIZE];
  struct sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, n, data);
  sha256_digest(&context, sizeof digest, digest);
  base16_encode_update(out, sizeof digest, digest);
  out[2 * sizeof digest] = '\0';
}
