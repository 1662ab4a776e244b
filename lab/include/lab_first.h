/* What is said where the first test of a piece differs from its repeats (fit_first.h). */
#ifndef LAB_FIRST_H
#define LAB_FIRST_H

#include "fit_first.h"

#define LAB_FIRST_WORDS 256
/* "the first test of a piece has 8.1 % more work ...", without a full stop; "" where nothing is to be said.
 * figure: that was compared, "work". Returns out. */
char *lab_first_words(const fit_test *t, const char *figure, char out[LAB_FIRST_WORDS]);

#endif
