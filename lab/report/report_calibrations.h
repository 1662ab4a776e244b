/* Validity of the calibrations behind runs, private to report/. */
#ifndef REPORT_CALIBRATIONS_H
#define REPORT_CALIBRATIONS_H

#include "report_page.h"

/* Returns whether the calibration of the run was not valid when the run was made, by its dates or by the
 * run's flags. */
bool report_run_is_doubtful(const cb_calibration *list, size_t n, const cb_run *run);
/* Returns whether the calibration of the run is out of date today ("2026-11-21"). */
bool report_run_is_outdated(const cb_calibration *list, size_t n, const cb_run *run, const char *today);

/* Appends a table of the calibrations that were declared or measured, with their runs. Nothing if there are
 * none. */
void report_calibrations(report_page *page, const cb_calibration *list, size_t n, const char *today);

#endif
