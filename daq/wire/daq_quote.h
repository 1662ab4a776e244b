/* Bytes that could not be understood, as a text for a person: printable ones as they are, the rest as \r, \n,
 * \xNN. "..." marks that there are more. */
#ifndef DAQ_QUOTE_H
#define DAQ_QUOTE_H

#include <stddef.h>

#define DAQ_QUOTE_SIZE 64

/* Writes the first of n bytes as text, as many as fit. */
void daq_quote(const char *bytes, size_t n, char out[DAQ_QUOTE_SIZE]);

#endif
