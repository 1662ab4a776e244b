/* Is this rig fit to measure? One step after the other, each with a figure, a limit and a verdict (docs/rig-check.md says what and why).
 * What a later step needs from one that failed makes it "not tested". Nothing is stored.
 *
 * Two questions are put to the person at the bench, before anything moves and before the loaded cart is pulled. A virtual rig is
 * played, operator included. */
#ifndef DAQ_CHECK_H
#define DAQ_CHECK_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_stop.h"

typedef enum daq_verdict { DAQ_PASS, DAQ_INFO, DAQ_WARN, DAQ_FAIL, DAQ_NOT_TESTED, DAQ_N_VERDICTS } daq_verdict;
extern const char *const daq_verdict_names[]; /* "PASS", "INFO", "WARN", "FAIL", "not tested", NULL */

typedef struct daq_figure {
  const char *name;
  char unit[32];
  double value, u; /* u: standard uncertainty; NAN: not stated */
  double tau_s;    /* of an Allan deviation; NAN for all else */
} daq_figure;

#define DAQ_CHECK_FIGURES 40

typedef struct daq_check_step {
  const char *name;
  daq_verdict verdict;
  char text[512];  /* the figure with its unit, or the sentence that says what went wrong */
  char limit[160]; /* what was wanted; "" where nothing can be */
  size_t n;
  daq_figure figure[DAQ_CHECK_FIGURES];
} daq_check_step;

typedef struct daq_check_job {
  const cb_rig *rig;
  const char *program;      /* the clothbench executable, which plays a virtual rig; unused for other rigs */
  const cb_stop *stop_flag; /* wanted: stop the stage and end with CB_E_STOPPED; a signal handler may set it */
  /* Asks the person at the bench and returns when it is done; CB_E_STOPPED to end. NULL: nobody is asked. */
  cb_status (*prompt)(void *context, const char *text, cb_err *err);
  /* Called after every step. */
  void (*step)(void *context, const daq_check_step *step);
  void *context;
} daq_check_job;

/* CB_OK: every step was taken or is "not tested"; count[] says how many of each verdict. What a device does wrong is a verdict;
 * CB_E_STOPPED, CB_E_NOMEM and a virtual rig that cannot be started are errors. */
CB_CHECKED cb_status daq_check_run(const daq_check_job *job, size_t count[DAQ_N_VERDICTS], cb_err *err);

#endif
