/* The text for the person at the bench before hands go near the rig. One sentence per line, always in this
 * order: the stage stands and waits; what is dangerous; what to do; what moves after Enter, how far and how
 * fast. */
#ifndef DAQ_PROMPT_H
#define DAQ_PROMPT_H

#include <stdbool.h>

#include "cb_rig.h"
#include "daq_campaign.h"

#define DAQ_PROMPT_SIZE 2048

typedef struct daq_prompt {
  const cb_rig *rig;
  const daq_campaign *plan;
  const daq_cell *cell;        /* the next run */
  double position_m;           /* of the stage */
  double link_force_N;         /* force of the link; 0 before the first zero */
  bool turn, turn_body, weigh; /* sample angle, body angle, added mass differ from the run before */
} daq_prompt;

/* Writes the text before homing. */
void daq_prompt_home(const cb_rig *rig, char out[DAQ_PROMPT_SIZE]);
/* Writes the text before a run for which sample, weight and cart are placed by hand. */
/* What hands have to do before the run, in one line of English: it is stored. */
void daq_prompt_instruction(const daq_prompt *p, char out[DAQ_PROMPT_SIZE]);
void daq_prompt_place(const daq_prompt *p, char out[DAQ_PROMPT_SIZE]);

#endif
