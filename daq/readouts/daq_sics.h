/* Balances with MT-SICS (Mettler-Toledo) or its relative KCP (Kern, Sauter): "S S     100.00 g<CR><LF>".
 * Reference: MT-SICS commands in the balances' manuals (AL-IC p. 72, BTEK T104 p. 44, Ohaus 7000 p. 109).
 * Pure functions. */
#ifndef DAQ_SICS_H
#define DAQ_SICS_H

#include <stdbool.h>
#include <stddef.h>

#include "daq_line.h"

typedef enum daq_sics_kind {
  DAQ_SICS_READING,   /* S S, S D */
  DAQ_SICS_BUSY,      /* S I: not ready */
  DAQ_SICS_OVERLOAD,  /* S + */
  DAQ_SICS_UNDERLOAD, /* S - */
  DAQ_SICS_ERROR,     /* ES, ET, EL */
  DAQ_SICS_SERIAL,    /* I4 A "text" */
  DAQ_SICS_TEXT
} daq_sics_kind;

typedef struct daq_sics_message {
  daq_sics_kind kind;
  double number; /* reading */
  bool stable;
  char unit[16];
  char error;    /* 'S', 'T' or 'L' */
  char text[64]; /* the serial number, or the line */
} daq_sics_message;

/* Parses the first message of n bytes (daq_line.h). A line longer than any answer is invalid. */
daq_parse daq_sics_parse(const char *bytes, size_t n, daq_sics_message *m, size_t *used);
/* Returns the meaning of an error letter. */
const char *daq_sics_error(char error);

#endif
