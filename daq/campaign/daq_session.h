/* Private to daq: the rows of a campaign in the store, and the list of its remaining runs. */
#ifndef DAQ_SESSION_H
#define DAQ_SESSION_H

#include "cb_claim.h"
#include "daq_calibration.h"
#include "daq_engine.h"
#include "daq_zero.h"

typedef struct daq_session {
  const daq_engine_job *job;
  const daq_calibration *calibration; /* borrowed */
  cb_origin origin;
  int64_t campaign_id, cloth_id, body_id, rig_id, calibration_id;
  int64_t specimen_id; /* 0: the campaign names none */
  cb_claim claim;      /* on the campaign, against other processes */
  double first_zero;   /* of the campaign that is resumed; NAN: none was taken */
  bool was_finished;   /* a campaign that was extended */
  bool *done;          /* per cell; owned */
  size_t n_left;
} daq_session;

/* A new campaign, or the unfinished one (its running rows are marked interrupted). identity: of the stage,
 * for the record. Clear also after a failure. CB_E_DB: another process measures the campaign (cb_claim.h). */
CB_CHECKED cb_status daq_session_open(daq_session *s, const daq_engine_job *job,
                                      const daq_calibration *calibration, const char *identity, cb_err *err);
void daq_session_clear(daq_session *s);

/* Inserts the row of a run that begins. asked: as daq_force.asked (daq_force.h). */
CB_CHECKED cb_status daq_session_begin_run(daq_session *s, const daq_cell *cell, bool asked, cb_run *run,
                                           cb_err *err);
/* Stores the zero before a pull, also of one that failed: a resumed campaign counts from its first zero. The
 * checks of the record take the first readings for its rest by it. */
CB_CHECKED cb_status daq_session_zero_before(daq_session *s, const cb_run *run, const daq_zero *before,
                                             cb_err *err);
/* Stores the zero after the pull. If it differs significantly from the one before, the run is flagged. */
CB_CHECKED cb_status daq_session_zero_after(daq_session *s, const cb_run *run, const daq_zero *before,
                                            const daq_zero *after, cb_err *err);
/* Closes the run's row by its outcome. Returns outcome, or the store's error if outcome is CB_OK. */
CB_CHECKED cb_status daq_session_end_run(daq_session *s, const cb_run *run, cb_status outcome, cb_err *err);

/* Voids a run that is made again, unless it was voided already. */
CB_CHECKED cb_status daq_session_void(daq_session *s, int64_t run_id, cb_err *err);
/* Counts the cells that no run counts for. */
CB_CHECKED cb_status daq_session_count_left(daq_session *s, size_t *n, cb_err *err);

#endif
