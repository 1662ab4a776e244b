/* The word that was probably meant: "did you mean 'Wool Twill'?". */
#ifndef CB_NEAREST_H
#define CB_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the number of single letters to insert, delete, replace or exchange with their neighbour that make
 * b of a (restricted Damerau-Levenshtein distance). Capitals count as small letters. At most 64 bytes of each
 * count. */
size_t cb_edit_distance(const char *a, const char *b);

/* Returns the index of the word nearest to `word`, the first of several; -1 if none is as near as a third of
 * its length, or n is 0. A word that begins with `word` is the nearest. */
int cb_nearest(const char *word, const char *const *words, size_t n);

/* Says whether one name may be the other with a slip of the keys. They differ by capitals, blanks and signs,
 * or by one letter in six or more. Numbers and single letters ("Nr. 7", "Cotton B") tell things apart: they
 * must be equal. */
bool cb_names_alike(const char *a, const char *b);

#endif
