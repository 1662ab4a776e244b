/* The digit of a read-out, from what it sends. */
#ifndef DAQ_DIGIT_H
#define DAQ_DIGIT_H

#include <stddef.h>

/* Returns the smallest step between readings that differ, INFINITY where none do. sorted: ascending, n >= 1.
 * *distinct receives how many differ. */
double daq_digit_of(const double *sorted, size_t n, size_t *distinct);

#endif
