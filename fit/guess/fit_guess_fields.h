/* The words by which people name the columns of each kind, in English and German; private to fit/guess/. */
#ifndef FIT_GUESS_FIELDS_H
#define FIT_GUESS_FIELDS_H

#include "fit_guess_impl.h"

extern const guess_kind guess_kinds[];
extern const size_t guess_n_kinds;

#endif
