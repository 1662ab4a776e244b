/* A scanner is a keyboard. It types the text of a label (`db labels`), a name, or a barcode that is another
 * name of a cloth or body (`db alias`). */
#ifndef DAQ_SCAN_H
#define DAQ_SCAN_H

#include "cb_store.h"
#include "daq_campaign.h"

#define DAQ_SCAN_TEXT 512

/* Says of what was scanned while a campaign waits whether the campaign measures that. out: a sentence without
 * its full stop. Returns false for a text that names nothing, and is no code. */
bool daq_scan_tell(cb_store *s, const daq_campaign *c, const char *text, char out[DAQ_SCAN_TEXT]);

#endif
