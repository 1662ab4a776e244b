/* A guess at the mapping of a table that the program has never seen: how the file is written, what its
 * columns are, which kind of import can read it. The result is the text of a mapping (docs/guide/import.md)
 * for a person to check. What the file does not say is `?` there, which no import accepts. */
#ifndef FIT_GUESS_H
#define FIT_GUESS_H

#include <stddef.h>

#include "cb_err.h"

typedef struct fit_guess {
  char kind[24];   /* of the import */
  char *mapping;   /* text; owned */
  char *trial;     /* the same with a stand-in for every `?`, to try it; owned */
  char fills[200]; /* their names */
  int rows;        /* rows of numbers */
} fit_guess;

/* Guesses from n bytes of text, which `name` stands for in errors. sheet: of a workbook; NULL: the only one
 * with cells. kind NULL: the one kind whose columns were
 * found. The caller calls fit_guess_clear, even after an error. Errors: CB_E_PARSE if it is no table, or a
 * column mixes decimal points and commas; CB_E_NOTFOUND if no kind has its columns; CB_E_RANGE if two kinds
 * have; CB_E_NOMEM. */
CB_CHECKED cb_status fit_guess_mapping(const char *text, size_t n, const char *name, const char *sheet,
                                       const char *kind, fit_guess *out, cb_err *err);
void fit_guess_clear(fit_guess *g);

/* The kinds that can be guessed; NULL at the end. */
extern const char *const fit_guess_kinds[];

#endif
