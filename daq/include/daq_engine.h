/* The campaign engine: makes every run of a campaign that is not done yet, one after the other, into the store.
 *
 * One run: the operator (or the virtual one) turns the sample and changes the weight where that is due; the stage backs off
 * until the link is slack; rest for the zero; one bounded pull; rest until the force settled; back off, rest for the zero once more;
 * the run's row is closed. Whatever
 * happens, the stage is told to stop, and told again on the way out, and the run's row is closed with status and reason.
 * The first run that fails ends the campaign: nobody knows in which state the bench is then. */
#ifndef DAQ_ENGINE_H
#define DAQ_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_rig.h"
#include "cb_store.h"
#include "cb_stop.h"
#include "daq_bench.h"
#include "daq_campaign.h"

/* Where a campaign stands; said on the engine's thread whenever the phase changes. DAQ_ENDING_RUN: the pull is over, the link is let
 * slack, and the second zero is taken. */
typedef enum daq_phase { DAQ_PREPARING, DAQ_ZEROING, DAQ_PULLING, DAQ_ENDING_RUN, DAQ_RUN_ENDED, DAQ_CAMPAIGN_ENDED } daq_phase;
typedef struct daq_progress {
  daq_phase phase;
  size_t done, total; /* runs of this session */
  daq_cell cell;      /* the run that is made, or was */
  double zero;        /* DAQ_PULLING: reading without force */
  double position_m;  /* of the stage at that moment */
} daq_progress;

typedef struct daq_engine_job {
  const cb_rig *rig;
  const daq_campaign *campaign;
  cb_store *store;          /* open for writing; the engine's alone while it runs */
  bool resume;              /* go on with the newest unfinished campaign of this name and text instead of a new one */
  bool uncalibrated;        /* go on without a valid calibration, and mark the runs (daq_calibration.h) */
  const char *today;        /* "2026-11-21", against which its validity is judged; NULL: what the clock says */
  const char *program;      /* the clothbench executable, which plays a virtual rig; unused for other rigs */
  const cb_stop *stop_flag; /* wanted: stop the stage and end with CB_E_STOPPED; a signal handler may set it */
  /* Asks the person at the bench and returns when it is done; CB_E_STOPPED to end. NULL: nobody is asked. text: one sentence a
   * line - how the stage and the link are, what to do, what will move then. */
  cb_status (*prompt)(void *context, const char *text, cb_err *err);
  /* May be NULL; it must not wait, nor may the watcher. */
  void (*progress)(void *context, const daq_progress *p);
  daq_watcher watcher;
  void *context; /* of prompt and progress */
} daq_engine_job;

typedef struct daq_engine_result {
  int64_t campaign_id;           /* 0: it did not come to that */
  size_t runs_done, runs_failed; /* in this session */
  double seconds;                /* wall */
} daq_engine_result;

/* CB_OK: every run is done and the campaign is finished. *result is filled in any case. */
CB_CHECKED cb_status daq_engine_run(const daq_engine_job *job, daq_engine_result *result, cb_err *err);

/* virtual where the rig file has a `virtual` section, wherever its ports lead. */
cb_origin daq_engine_origin(const cb_rig *rig);
/* The rig's instruments are played by a child process, and so is its operator. */
bool daq_engine_emulates(const cb_rig *rig);

#endif
