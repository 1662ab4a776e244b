/* The campaign engine: makes every run of a campaign that is not done yet, one after the other, and stores
 * it.
 *
 * One run has these steps:
 * - The person, or the virtual operator, turns the sample and changes the weight if needed.
 * - The stage backs off until the link is slack, and rests for the zero.
 * - It pulls once, by a bounded way, and rests until the force has settled.
 * - It backs off and rests for the second zero.
 * - The run's row is closed with status and reason.
 *
 * After any failure the stage is told to stop, and again on the way out, and the run's row is closed. The
 * first run that fails ends the campaign, as the state of the bench is then unknown. */
#ifndef DAQ_ENGINE_H
#define DAQ_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_rig.h"
#include "cb_store.h"
#include "cb_stop.h"
#include "daq_campaign.h"
#include "daq_watcher.h"

/* The state of a campaign, reported on the engine's thread at every change of phase. DAQ_ENDING_RUN: the pull
 * is over; the stage backs off and the second zero is taken. DAQ_BROKEN_OFF: the campaign ended early, and
 * the stage has confirmed its stop; DAQ_BROKEN_OFF_LOOSE: it has not, and may still move. */
typedef enum daq_phase {
  DAQ_PREPARING,
  DAQ_ZEROING,
  DAQ_PULLING,
  DAQ_ENDING_RUN,
  DAQ_RUN_ENDED,
  DAQ_CAMPAIGN_ENDED,
  DAQ_BROKEN_OFF,
  DAQ_BROKEN_OFF_LOOSE
} daq_phase;
typedef struct daq_progress {
  daq_phase phase;
  size_t done, total; /* runs of this session */
  daq_cell cell;      /* the present or last run */
  double zero;        /* DAQ_PULLING: reading without force */
  double position_m;  /* of the stage */
  int64_t last_run;   /* that was made, in the database; 0: none in this session */
} daq_progress;

/* What the person at the bench is asked. */
typedef struct daq_asked {
  const char *text; /* one sentence per line: state of stage and link, what to do, what will move then */
  bool of_cell;     /* before a cell of the campaign: it may be skipped, and the last run repeated */
  int64_t last_run; /* the last finished run of this session; 0: none yet */
} daq_asked;
typedef enum daq_answer {
  DAQ_GO_ON, /* all is done */
  DAQ_SKIP,  /* leave this cell out; the campaign stays unfinished */
  DAQ_REPEAT /* make the last run again, as it lies; if it still counts, it is voided */
} daq_answer;

typedef struct daq_engine_job {
  const cb_rig *rig;
  const daq_campaign *campaign;
  cb_store *store;      /* open for writing; nobody else may use it meanwhile */
  bool resume;          /* continue the newest unfinished campaign of this name and text */
  int64_t extended;     /* resume: the campaign that was extended (daq_extend.h); 0: none */
  bool uncalibrated;    /* run without a valid calibration, and flag the runs (daq_calibration.h) */
  const char *today;    /* "2026-11-21", for the calibration's validity; NULL: the clock's date */
  const char *program;  /* the clothbench executable, which emulates a virtual rig; else unused */
  const char *practice; /* of a virtual rig: the script of what goes wrong, while a person is asked as at a
                           real one; NULL: the emulated operator does all, and nobody is asked */
  const cb_stop *stop_flag; /* a request stops the stage and ends with CB_E_STOPPED */
  /* Asks the person at the bench, and returns with *answer (DAQ_GO_ON when it is called), or CB_E_STOPPED to
   * end. It may use the store. NULL: nobody is asked. */
  cb_status (*prompt)(void *context, const daq_asked *q, daq_answer *answer, cb_err *err);
  const char *person; /* who is at the bench, where the campaign names no operator; NULL: not known */
  /* May be NULL. Neither this function nor the watcher may wait. */
  void (*progress)(void *context, const daq_progress *p);
  daq_watcher watcher;
  void *context; /* of prompt and progress */
} daq_engine_job;

typedef struct daq_engine_result {
  int64_t campaign_id;           /* 0: no campaign was begun */
  size_t runs_done, runs_failed; /* in this session */
  size_t runs_left;              /* cells without a run that counts: skipped, or their run was voided */
  double seconds;                /* wall time */
  bool stage_may_move;           /* it has confirmed no stop since it was last told to move */
  char stage[256];               /* what is known of the stage: "the stage was told to stop" ... */
  char untold[256];              /* why the rig file's on_failure could tell nobody; "": it could */
} daq_engine_result;

/* Runs the campaign. CB_OK means that every cell was made or skipped; with none left the campaign is
 * finished. *result is filled in any case. The stage is stopped and the ports are closed on return. Errors:
 * those of daq_calibration_choose, daq_emulator_start, daq_bench.h and the store. CB_E_NOTFOUND: there is
 * nothing to resume. CB_E_ARG: the campaign to resume is of another origin.
 * CB_E_DEVICE: also where all runs were made and the stage has then not confirmed its stop. */
CB_CHECKED cb_status daq_engine_run(const daq_engine_job *job, daq_engine_result *result, cb_err *err);

/* Returns CB_VIRTUAL if the rig file has a `virtual` section, whatever its ports, else CB_MEASURED. */
cb_origin daq_engine_origin(const cb_rig *rig);
/* Returns true if a child process emulates the rig's instruments and its operator. */
bool daq_engine_emulates(const cb_rig *rig);

#endif
