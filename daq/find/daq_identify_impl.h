/* Private to daq/. */
#ifndef DAQ_IDENTIFY_IMPL_H
#define DAQ_IDENTIFY_IMPL_H

#include "daq_identify.h"

/* Identifies a device from the n bytes that followed a question. Pure. Returns true if it is known, with
 * out->what and ->driver set. out->heard is set whenever a printable line came. */
bool daq_identify_bytes(daq_question asked, const char *bytes, size_t n, daq_identified *out);

#endif
