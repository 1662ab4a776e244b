/* Lossless packing of one column of doubles, bit for bit. Instruments send decimal numbers or a converter's
 * counts, and neighbours are alike. docs/reference/database.md describes the bytes, so that any program can
 * read them. The steps are:
 *
 *     value -> whole number   v = whole / 10^scale, |whole| < 2^53, for the smallest scale of 0..9 that
 *                             restores every bit of every value; else (scale 255) the bits of the double
 *     whole -> residual       from one reference (order 0), or from the previous one plus a step (order 1),
 *                             modulo 2^64; zigzag
 *     residual -> bytes       the smallest of 1, 2, 4, 8 bytes that holds them all, in planes: lowest first
 *     bytes -> zstd           unless that is not smaller
 *
 * Delta, zigzag and shuffle are those of Parquet's and Blosc's codecs; zstd is RFC 8878. */
#ifndef CB_PACK_H
#define CB_PACK_H

#include <stddef.h>

#include "cb_err.h"

#define CB_PACK_MAX_N 1048576 /* values in one column; a reader must be able to allocate them (8 MB) */
#define CB_PACK_HEADER 24     /* bytes */

/* Returns the largest number of bytes that n packed values take. */
size_t cb_pack_bound(size_t n);
/* Packs n values into out, which has room for cb_pack_bound(n) bytes. *size receives the number of bytes
 * used.
 * Errors: CB_E_ARG unless 1 <= n <= CB_PACK_MAX_N, CB_E_NOMEM. */
CB_CHECKED cb_status cb_pack(const double *v, size_t n, unsigned char *out, size_t *size, cb_err *err);
/* Unpacks exactly n values from the first bytes of data. *used receives their number and may be NULL. Nothing
 * beyond data[size - 1] is read.
 * Errors: CB_E_PARSE if the bytes are not a column of n values, CB_E_NOMEM. */
CB_CHECKED cb_status cb_unpack(const unsigned char *data, size_t size, size_t n, double *v, size_t *used,
                               cb_err *err);

#endif
