/* Fingerprint of bytes: FNV-1a, 64 bit (Fowler, Noll, Vo; RFC 9923), hexadecimal. No protection against
 * malice. */
#ifndef FIT_FINGERPRINT_H
#define FIT_FINGERPRINT_H

#include <stddef.h>

void fit_fingerprint(const char *text, size_t n, char out[17]);

#endif
