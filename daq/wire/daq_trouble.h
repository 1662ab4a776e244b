/* Faults on the wires that did not end a run. They are counted where they happen and reported here. Frequent
 * ones become one note with a count and an example. docs/reference/campaign-file.md has the rules. */
#ifndef DAQ_TROUBLE_H
#define DAQ_TROUBLE_H

#include "daq_bench.h"

#define DAQ_TROUBLE_NOTES 10

/* Counts already reported of a bench. Zeroed at the beginning. */
typedef struct daq_trouble {
  size_t unreadable, unanswered, reformatted, shortest, clipped, late, retried, stray, stage_unreadable;
} daq_trouble;

typedef struct daq_trouble_note {
  const char *kind; /* of the event; static */
  char text[200];
} daq_trouble_note;

/* Writes notes on the faults since the last call, and updates *told. Returns their number. */
size_t daq_trouble_news(daq_bench *b, daq_trouble *told, daq_trouble_note notes[DAQ_TROUBLE_NOTES]);

#endif
