/* The questions of `clothbench run init`, and the campaign file that is made of their answers. An answer is
 * checked as the file would be: against the rig, the test standard and the answers before. */
#ifndef DAQ_INTERVIEW_H
#define DAQ_INTERVIEW_H

#include "cb_store.h"
#include "daq_campaign.h"
#include "daq_questions.h"

typedef struct daq_interview {
  daq_questions q;
  const char *file;                     /* the campaign file; its name is the campaign's */
  const char *rig_file, *operator_name; /* proposed */
  cb_store *store;                      /* to look names up in; NULL: there is no database yet; borrowed */
  cb_rig rig;                           /* the one that was named; its text is NULL before */
  /* How often, for a half width of the 95 % band [%] of one coefficient, and why. NULL: three times. */
  int (*repeats)(void *context, const daq_campaign *c, const cb_rig *rig, double band_percent, char why[400]);
  void *context;
} daq_interview;

/* v stays where it is until its end; file, rig_file, operator_name and store are filled by the caller. */
void daq_interview_begin(daq_interview *v);
void daq_interview_clear(daq_interview *v);
/* Makes the file. c is what reads back. The caller frees *text and clears *c, also after a failure.
 * Errors: those of daq_campaign_load. */
CB_CHECKED cb_status daq_interview_end(daq_interview *v, char **text, daq_campaign *c, cb_err *err);
/* Returns the relative standard uncertainty that repeats of the lightest load share: the calibration of
 * today, and the mass. s may be NULL. */
double daq_interview_shared_u(cb_store *s, const daq_campaign *c, const cb_rig *rig);

#endif
