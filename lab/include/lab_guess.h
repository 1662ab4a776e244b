/* A guessed mapping that was tried: the import of its kind reads the whole table by it. */
#ifndef LAB_GUESS_H
#define LAB_GUESS_H

#include "fit_guess.h"

/* Guesses the mapping of a table, and reads the table by it with a stand-in for every `?`. Nothing is stored
 * or written. kind NULL: found by the columns. The caller calls fit_guess_clear, even after an error. Errors:
 * those of fit_guess_mapping; the reader's, where the table has what no mapping can describe; CB_E_IO. */
CB_CHECKED cb_status lab_guess(const char *file, const char *sheet, const char *kind, fit_guess *out,
                               cb_err *err);

#endif
