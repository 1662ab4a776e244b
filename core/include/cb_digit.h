/* The last digit of a column of numbers, out of how they are written.
 *
 * Spreadsheets drop trailing zeros, so cells of one read-out differ in their decimals, and the cells with
 * more of them tell the digit. A few cells tell nothing: computed ones, as 1.7763568394002505e-15 in place of
 * 0.0. They must not decide for a column of tenths. */
#ifndef CB_DIGIT_H
#define CB_DIGIT_H

#include <stddef.h>

#include "cb_csv.h"

typedef struct cb_digit {
  double value;     /* in the table's unit: 0.01 for "1.25", 0.0001 for "1.2e-3"; at most 1 */
  size_t n_finer;   /* cells with more decimals than the digit has; 0 where the digit is below 1e-9 of the
                       largest */
  size_t first_row; /* of these cells */
} cb_digit;

/* Finds the digit of a column. Holes, texts and a bare "0" say nothing; equal numbers count once. Numbers of
 * 16 significant digits or more are binary fractions in full: they count as their first 14. The digit is the
 * median one, or a finer one that a tenth of the numbers has and that is reached in steps of at most three
 * decades. It is never finer than what a double keeps beside the largest number. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status cb_digit_find(const cb_csv *csv, size_t column, cb_digit *out, cb_err *err);

/* Writes a sentence about the cells that are finer than the digit: file, line, cell, digit. "" if there are
 * none. */
void cb_digit_note(const cb_csv *csv, size_t column, const cb_digit *digit, char *out, size_t size);

#endif
