/* What the person at the bench is told before hands go near the rig. One sentence a line, always in this order: that the stage
 * stands and waits, what is dangerous, what to do, what moves after Enter, how far and how fast. */
#ifndef DAQ_PROMPT_H
#define DAQ_PROMPT_H

#include <stdbool.h>

#include "cb_rig.h"
#include "daq_campaign.h"

#define DAQ_PROMPT_SIZE 1024

typedef struct daq_prompt {
  const cb_rig *rig;
  const daq_campaign *plan;
  const daq_cell *cell;        /* the run that comes */
  double position_m;           /* where the stage stands */
  double link_force_N;         /* what the link pulls with; 0 where no zero was taken yet */
  bool turn, turn_body, weigh; /* the sample's direction, the body's, the added mass is another one than before */
} daq_prompt;

/* Before homing. */
void daq_prompt_home(const cb_rig *rig, char out[DAQ_PROMPT_SIZE]);
/* Before a run for which sample, weight and cart are placed by hand. */
void daq_prompt_place(const daq_prompt *p, char out[DAQ_PROMPT_SIZE]);

#endif
