/* Is this rig fit to measure? A sequence of steps, each with a figure, a limit and a verdict.
 * docs/guide/rig-check.md gives the steps and their reasons. A step that needs the result of a failed one is
 * "not tested". Nothing is stored.
 *
 * The person at the bench is asked twice: before anything moves, and before the loaded cart is pulled. A
 * virtual rig is emulated with its operator. */
#ifndef DAQ_CHECK_H
#define DAQ_CHECK_H

#include <jansson.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_stop.h"

typedef enum daq_verdict {
  DAQ_PASS,
  DAQ_INFO,
  DAQ_WARN,
  DAQ_FAIL,
  DAQ_NOT_TESTED,
  DAQ_N_VERDICTS
} daq_verdict;
extern const char *const daq_verdict_names[]; /* "PASS", "INFO", "WARN", "FAIL", "not tested", NULL */

typedef struct daq_figure {
  const char *name;
  char unit[32];
  double value, u; /* u: standard uncertainty; NAN: not given */
  double tau_s;    /* of an Allan deviation; else NAN */
} daq_figure;

#define DAQ_CHECK_FIGURES 40

typedef struct daq_check_step {
  const char *name;
  daq_verdict verdict;
  char text[512];  /* the figure with its unit, or the sentence of a failure */
  char limit[160]; /* the limit; "" if there is none */
  size_t n;
  daq_figure figure[DAQ_CHECK_FIGURES];
} daq_check_step;

typedef struct daq_check_job {
  const cb_rig *rig;
  const char *program;      /* the clothbench executable, which emulates a virtual rig; else unused */
  const cb_stop *stop_flag; /* a request stops the stage and ends with CB_E_STOPPED */
  /* Asks the person and returns when all is done, or CB_E_STOPPED to end. NULL: nobody is asked. */
  cb_status (*prompt)(void *context, const char *text, cb_err *err);
  /* Called after every step. */
  void (*step)(void *context, const daq_check_step *step);
  void *context; /* of prompt and step */
} daq_check_job;

/* Runs all steps. count receives the number of steps by verdict. A fault of a device is a verdict, not an
 * error.
 * CB_E_STOPPED: by the stop flag or `prompt`. CB_E_NOMEM. CB_E_DEVICE, CB_E_TIMEOUT, CB_E_IO: a virtual rig
 * cannot be started. */
CB_CHECKED cb_status daq_check_run(const daq_check_job *job, size_t count[DAQ_N_VERDICTS], cb_err *err);

/* The step's item in the document of docs/reference/json/rig.md; the caller owns it. NULL: no memory. */
json_t *daq_check_step_json(const daq_check_step *s);

#endif
