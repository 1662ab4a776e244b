/* Lossless packing of one column of doubles, bit for bit: what an instrument sends are decimal numbers or a converter's counts,
 * and neighbours are alike. docs/database.md has the bytes, so that any program can read them.
 *
 *   value -> whole number   v = whole / 10^scale for the smallest scale 0..9 that gives back every bit of every value, and |whole| < 2^53;
 *                           else (scale 255) the 64 bits of the double themselves
 *   whole -> residual       from one reference (order 0), or from the one before plus a step (order 1), modulo 2^64; zigzag
 *   residual -> bytes       the smallest of 1, 2, 4, 8 bytes that holds them all, sorted into planes: all lowest bytes first
 *   bytes -> zstd           unless that is not smaller
 *
 * Delta, zigzag and shuffle are those of Parquet's and Blosc's codecs; zstd is RFC 8878. */
#ifndef CB_PACK_H
#define CB_PACK_H

#include <stddef.h>

#include "cb_err.h"

#define CB_PACK_MAX_N 1048576 /* values in one column: what a reader must be ready to allocate for, 8 MB */
#define CB_PACK_HEADER 24     /* bytes */

/* Bytes that n values take at most. */
size_t cb_pack_bound(size_t n);
/* Packs 1 <= n <= CB_PACK_MAX_N values into out (cb_pack_bound(n) bytes); *size receives how many were used. CB_E_NOMEM. */
CB_CHECKED cb_status cb_pack(const double *v, size_t n, unsigned char *out, size_t *size, cb_err *err);
/* Unpacks exactly n values from the first bytes of data; *used (may be NULL) receives how many. Bytes that are no column of n
 * values are CB_E_PARSE, whatever they are; nothing beyond data[size - 1] is read. */
CB_CHECKED cb_status cb_unpack(const unsigned char *data, size_t size, size_t n, double *v, size_t *used, cb_err *err);

#endif
