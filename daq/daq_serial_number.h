/* Private to daq: is it the device whose serial number the rig file names? */
#ifndef DAQ_SERIAL_NUMBER_H
#define DAQ_SERIAL_NUMBER_H

#include <stdbool.h>

#include "cb_err.h"

/* wanted: of the rig file, "": any device will do; told: by the device, "": it tells none. *wrong says whether they differ, and then it is
 * CB_E_DEVICE; who begins the sentence. */
CB_CHECKED cb_status daq_serial_number_check(const char *who, const char *wanted, const char *told, bool *wrong, cb_err *err);

#endif
