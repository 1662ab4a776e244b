/* The readings of the present pull and of the one before, so that a read-out can repeat itself to the last
 * digit (VRIG_MISHAP_REPEATED). */
#ifndef VRIG_ECHO_H
#define VRIG_ECHO_H

#include <stdbool.h>
#include <stddef.h>

#define VRIG_ECHO_READINGS 65536 /* of a pull; what comes after them is not repeated */

/* A zeroed echo is empty. */
typedef struct vrig_echo {
  unsigned long pull; /* its number */
  int now;            /* which of the two is that of the present pull */
  size_t n[2];
  double reading[2][VRIG_ECHO_READINGS];
} vrig_echo;

/* Takes a reading of a pull, counted from 1, and returns it, or the one at its place in the pull before.
 * Readings before the first pull (0) pass. */
double vrig_echo_pass(vrig_echo *e, unsigned long pull, bool repeats, double reading);

#endif
