/* Calibrations on stdout. */
#ifndef CLI_CALIBRATION_H
#define CLI_CALIBRATION_H

#include "lab_calibration.h"

/* Prints one line, for a list. */
void cli_calibration_print_line(const cb_calibration *c);
/* Prints facts, budget and, if `points`, points. */
void cli_calibration_print(const lab_calibration *c, bool points);

#endif
