#include "daq_esm_stand.h"

#include <string.h>

#include "cb_time.h"

daq_esm_stand *daq_esm_stand_of(const daq_stage *s) { return s->own; }

/* ---- answers ---- */

/* A host that does not fetch them loses the oldest: it will see that its stream is late. */
static void keep_force(daq_esm_stand *e, const daq_esm_message *m) {
  memcpy(e->unit, m->unit, sizeof e->unit);
  if (e->force_period_s == 0) return;
  if (e->n_force == DAQ_ESM_READINGS) {
    e->first = (e->first + 1) % DAQ_ESM_READINGS;
    e->n_force--;
  }
  size_t last = (e->first + e->n_force++) % DAQ_ESM_READINGS;
  e->force[last].value = m->value;
  e->force[last].asked_s = e->asked_s;
  e->force[last].answered_s = cb_now_monotonic_s();
}

static void finish_state(daq_esm_stand *e, const daq_esm_message *travel) {
  if (!e->state_wanted || !e->moving_known) return;
  e->state = (daq_stage_state){travel->value, e->moving != 0, e->asked_s};
  e->state_fresh = true;
  e->state_wanted = e->moving_known = false;
}

static bool answers(char question, daq_esm_kind kind) {
  if (question == 'p') return kind == DAQ_ESM_STATUS;
  if (question == 'a') return kind == DAQ_ESM_SPEED;
  return kind == DAQ_ESM_TRAVEL;
}

static void take_answer(daq_esm_stand *e, const daq_esm_message *m) {
  if (e->asked == 'n' && m->kind == DAQ_ESM_FORCE) keep_force(e, m);
  if (!e->asked || !answers(e->asked, m->kind)) return; /* a late one, or what nobody asked for */
  if (m->kind == DAQ_ESM_STATUS) {
    e->moving = m->moving;
    e->moving_known = true;
  }
  if (e->asked == 'n') finish_state(e, m);
  e->answer = *m;
  e->asked = 0;
}

static cb_status take_bytes(daq_esm_stand *e, double timeout_s, cb_err *err) {
  daq_esm_message m;
  bool got = true;
  CB_TRY(daq_rx_fill(&e->rx, e->port, timeout_s, &got, err));
  for (;;) {
    size_t used;
    daq_parse p = daq_esm_parse(e->rx.bytes, e->rx.n, &m, &used);
    daq_rx_drop(&e->rx, used);
    if (p == DAQ_PARSE_MORE) return CB_OK;
    if (p == DAQ_PARSE_VALID) take_answer(e, &m);
    e->n_unreadable += p == DAQ_PARSE_INVALID;
  }
}

/* ---- questions ---- */

#define ASK_TRIES 3

static cb_status send_question(daq_esm_stand *e, cb_err *err) {
  e->answer_due_s = cb_now_monotonic_s() + e->rig->reply_timeout_s / ASK_TRIES;
  return daq_transport_write(e->port, &e->asked, 1, e->rig->reply_timeout_s, err);
}

static cb_status ask_stand(daq_esm_stand *e, char question, cb_err *err) {
  e->asked = question;
  e->asked_s = cb_now_monotonic_s();
  e->n_unanswered = 0;
  return send_question(e, err);
}

/* No question moves anything, so it may be put again. An answer has no number: it counts from the first. */
static cb_status check_due(daq_esm_stand *e, cb_err *err) {
  if (!e->asked || cb_now_monotonic_s() <= e->answer_due_s) return CB_OK;
  if (++e->n_unanswered < ASK_TRIES) return send_question(e, err);
  return cb_fail(err, CB_E_TIMEOUT, "stage on %s: no answer to '%c' within %g s", daq_transport_path(e->port),
                 e->asked, e->rig->reply_timeout_s);
}

static cb_status ask_next(daq_esm_stand *e, cb_err *err) {
  double now_s = cb_now_monotonic_s();
  bool force_due = e->force_period_s > 0 && now_s >= e->next_force_s;
  if (e->asked) return CB_OK;
  if (e->state_wanted && !e->moving_known) return ask_stand(e, 'p', err);
  if (!e->state_wanted && !force_due) return CB_OK;
  e->next_force_s = now_s + e->force_period_s;
  return ask_stand(e, 'n', err);
}

cb_status daq_esm_pump(daq_esm_stand *e, cb_err *err) {
  CB_TRY(take_bytes(e, 0, err));
  CB_TRY(check_due(e, err));
  return ask_next(e, err);
}

static cb_status await(daq_esm_stand *e, cb_err *err) {
  while (e->asked) {
    CB_TRY(take_bytes(e, e->answer_due_s - cb_now_monotonic_s(), err));
    CB_TRY(check_due(e, err));
  }
  return CB_OK;
}

cb_status daq_esm_exchange(daq_esm_stand *e, char question, cb_err *err) {
  CB_TRY(await(e, err));
  CB_TRY(ask_stand(e, question, err));
  cb_status st = await(e, err);
  e->asked = 0; /* given up */
  return st;
}
