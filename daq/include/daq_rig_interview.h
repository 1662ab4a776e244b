/* The questions of `clothbench rig init`, and the rig file that is made of their answers. What is proposed
 * are the ports that are plugged in, and the numbers of daq_rig_template.h. */
#ifndef DAQ_RIG_INTERVIEW_H
#define DAQ_RIG_INTERVIEW_H

#include "daq_ports.h"
#include "daq_questions.h"

/* The questions whose answers may come from elsewhere. */
enum { DAQ_RIG_KIND, DAQ_RIG_STAGE, DAQ_RIG_STAGE_PORT, DAQ_RIG_FORCE, DAQ_RIG_FORCE_PORT, DAQ_RIG_KNOWN };

typedef struct daq_rig_interview {
  daq_questions q;
  const char *file;
  const daq_port *ports; /* that are plugged in */
  size_t n_ports;
  const char *fixed[DAQ_RIG_KNOWN]; /* answers that are not asked; NULL: asked */
} daq_rig_interview;

/* v stays where it is; file, ports and fixed are filled before. Errors: those of a wrong `fixed`, CB_E_ARG.
 */
CB_CHECKED cb_status daq_rig_interview_begin(daq_rig_interview *v, cb_err *err);
/* Takes all that is proposed for what was not asked. Errors: CB_E_ARG without a driver. */
CB_CHECKED cb_status daq_rig_interview_skip(daq_rig_interview *v, cb_err *err);
/* Whether the rig is to be virtual: then only that was asked. */
bool daq_rig_interview_virtual(const daq_rig_interview *v);
/* Makes the file of a real rig; the caller frees *text. Errors: those of daq_rig_template, cb_rig_parse. */
CB_CHECKED cb_status daq_rig_interview_end(daq_rig_interview *v, char **text, cb_err *err);

#endif
