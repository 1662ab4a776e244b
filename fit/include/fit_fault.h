/* What went wrong in a pull, as far as its own readings tell, or those of the pulls beside it.
 * docs/method/pull-validity.md has the rules and their sources. */
#ifndef FIT_FAULT_H
#define FIT_FAULT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum fit_validity {
  FIT_VALID,
  FIT_DOUBTFUL, /* the force counts, with the uncertainty of the fault */
  FIT_INVALID   /* the force is not the friction; no law takes it */
} fit_validity;
extern const char *const fit_validity_names[]; /* "valid", "doubtful", "invalid", NULL */

typedef enum fit_fault {
  FIT_FAULT_NEVER_SLID,
  FIT_FAULT_SLID_LATE,
  FIT_FAULT_REVERSED,
  FIT_FAULT_SPEED,
  FIT_FAULT_CLIPPED,
  FIT_FAULT_NO_FORCE,
  FIT_FAULT_STICK_SLIP,
  FIT_FAULT_RATCHET,
  FIT_FAULT_SECOND_BREAK,
  FIT_FAULT_GROWS,
  FIT_FAULT_FALLS,
  FIT_FAULT_STEP,
  FIT_FAULT_SHORT,
  FIT_FAULT_REPEATS,
  FIT_FAULT_LOAD_OFF, /* this one and those below: found where the pulls of a pair come together */
  FIT_FAULT_OFF_REPEATS,
  FIT_FAULT_OFF_NEIGHBOURS,
  FIT_N_FAULTS
} fit_fault;

/* A row of the one table of reasons. */
typedef struct fit_fault_kind {
  const char *code;      /* the word of flags, JSON and docs */
  fit_validity validity; /* what it makes of a pull */
  const char *sentence;  /* what happened */
  const char *advice;    /* what to do */
} fit_fault_kind;
extern const fit_fault_kind fit_fault_kinds[FIT_N_FAULTS];

typedef struct fit_fault_found {
  fit_fault kind;
  double u_N;    /* standard uncertainty that it adds to the kinetic force; 0: none */
  char what[96]; /* the figures, as words: "0.945 N from peak to valley, 2.18 Hz" */
} fit_fault_found;

typedef struct fit_faults {
  size_t n;
  fit_fault_found list[FIT_N_FAULTS];
} fit_faults;

/* Returns the worst validity of the list. */
fit_validity fit_faults_validity(const fit_faults *f);
/* Returns the standard uncertainty that all of them add to the kinetic force [N]. */
double fit_faults_uncertainty_N(const fit_faults *f);
/* Writes the codes of the faults that make the pull what it is, as in "never-slid clipped"; "": none. */
void fit_faults_words(const fit_faults *f, char *out, size_t cap);
/* Returns the row of a code; NULL: there is none. */
const fit_fault_kind *fit_fault_find(const char *code);

#endif
