/* SHA-256 of bytes, as sha256sum writes it (FIPS 180-4). */
#ifndef LAB_SHA256_H
#define LAB_SHA256_H

#include <stddef.h>

#define LAB_SHA256_TEXT 65

/* Writes 64 hexadecimal digits. */
void lab_sha256(const void *data, size_t n, char out[LAB_SHA256_TEXT]);

#endif
