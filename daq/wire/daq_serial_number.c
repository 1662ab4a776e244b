#include "daq_serial_number.h"

#include <string.h>

cb_status daq_serial_number_check(const char *who, const char *wanted, const char *told, bool *wrong,
                                  cb_err *err) {
  *wrong = wanted[0] && strcmp(told, wanted) != 0;
  if (!*wrong) return CB_OK;
  if (!told[0])
    return cb_fail(err, CB_E_DEVICE, "%s: tells no serial number, the rig file wants %s", who, wanted);
  return cb_fail(err, CB_E_DEVICE, "%s: serial number is %s, the rig file wants %s", who, told, wanted);
}
