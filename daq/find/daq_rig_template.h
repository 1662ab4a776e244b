/* A rig file to begin with: every key that the drivers need, each with a comment that says where its value is
 * found. */
#ifndef DAQ_RIG_TEMPLATE_H
#define DAQ_RIG_TEMPLATE_H

#include "cb_err.h"

typedef struct daq_rig_parts {
  const char *name;
  int stage, force; /* cb_rig_stage.driver, cb_rig_force.driver */
  const char *stage_port, *force_port;
} daq_rig_parts;

/* Writes the file as text, which cb_rig_parse reads. Its numbers are those of a common instrument of the
 * kind, and have to be checked. The section `calibration` is left out: `clothbench calibrate` makes one. The
 * caller frees *text. Errors: CB_E_ARG for parts that cannot stand together; CB_E_NOMEM. */
CB_CHECKED cb_status daq_rig_template(const daq_rig_parts *p, char **text, cb_err *err);

/* Writes the names of a NULL-terminated list of drivers with commas. */
void daq_rig_drivers(const char *const *names, char out[300]);
/* Finds a driver by its name. Errors: CB_E_ARG, with the names and the one that was probably meant. */
CB_CHECKED cb_status daq_rig_driver(const char *what, const char *typed, const char *const *names,
                                    int *driver, cb_err *err);

#endif
