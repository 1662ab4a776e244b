/* How a calibration is printed, on stdout. */
#ifndef CLI_CALIBRATION_H
#define CLI_CALIBRATION_H

#include "lab_calibration.h"

/* Its line in a list. */
void cli_calibration_print_line(const cb_calibration *c);
/* Its facts, its budget, and if asked for its points. */
void cli_calibration_print(const lab_calibration *c, bool points);

#endif
