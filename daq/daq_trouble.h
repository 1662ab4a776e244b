/* What went wrong on the wires and did not end a run: counted where it happens, told here, so that nothing stays silent. What
 * happens often comes as one note with a count and an example; docs/campaign-file.md, section "Events", has the rules. */
#ifndef DAQ_TROUBLE_H
#define DAQ_TROUBLE_H

#include "daq_bench.h"

#define DAQ_TROUBLE_NOTES 8

/* What has been told of a bench so far; all zeros to begin with. */
typedef struct daq_trouble {
  size_t unreadable, reformatted, clipped, late, retried, stray, stage_unreadable;
} daq_trouble;

typedef struct daq_trouble_note {
  const char *kind; /* of the event */
  char text[200];
} daq_trouble_note;

/* The notes on what came since the last call. Returns how many. */
size_t daq_trouble_news(daq_bench *b, daq_trouble *told, daq_trouble_note notes[DAQ_TROUBLE_NOTES]);

#endif
