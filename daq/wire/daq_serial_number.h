/* Private to daq: compares a device's serial number with the rig file's. */
#ifndef DAQ_SERIAL_NUMBER_H
#define DAQ_SERIAL_NUMBER_H

#include <stdbool.h>

#include "cb_err.h"

/* wanted is the rig file's; "": any device. told is the device's; "": none. *wrong is set if they differ;
 * CB_E_DEVICE then. `who` begins the sentence. */
CB_CHECKED cb_status daq_serial_number_check(const char *who, const char *wanted, const char *told,
                                             bool *wrong, cb_err *err);

#endif
