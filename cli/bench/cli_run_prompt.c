#include "cli_run_prompt.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cb_language.h"
#include "cb_store_correction.h"
#include "cli_ask.h"
#include "cli_person.h"
#include "daq_scan.h"

static void print_help(const daq_asked *q) {
  fputs(_("  Enter  goes on: all is done that stands above\n"), stderr);
  if (q->of_cell)
    fputs(_("  r      makes the last run again, as sample and cart lie now, and voids it\n"
            "  v      voids the last run\n  n      says something of the last run\n"
            "  s      leaves out what stands above; --resume asks for it again\n"),
          stderr);
  fputs(_("  q      stops; --resume goes on\n  ?      this text\n"), stderr);
}

static const daq_ask reasons[] = {
    {{"reason", CB_Y_STR, .size = DAQ_ANSWER},
     N_("why"),
     N_("Why the last run is voided, for whoever reads the report. Enter or b: it stays as it is"),
     NULL,
     "the sample slipped"},
    {{"note", CB_Y_STR, .size = DAQ_ANSWER},
     N_("what"),
     N_("What is to be said of the last run, which counts all the same. Enter or b: nothing is said"),
     NULL,
     "the cart squeaked"},
};

/* What is wrong with the correction is said, and the prompt comes again. */
static cb_status correct_last(const cli_run_prompt *p, const daq_asked *q, cb_correction_kind kind,
                              cb_err *err) {
  cb_correction c = {.run_id = q->last_run, .kind = kind};
  cb_err wrong = {""};
  bool back;
  _Static_assert(sizeof c.reason == DAQ_ANSWER, "an answer is a reason");
  CB_TRY(cli_ask_line(&reasons[kind != CB_CORRECTION_VOID], c.reason, &back, err));
  if (back) return CB_OK;
  (void)snprintf(c.operator_name, sizeof c.operator_name, "%s", p->person);
  if (cb_store_correction_put(p->store, &c, &wrong) != CB_OK)
    fprintf(stderr, "  %s\n", wrong.msg);
  else
    fprintf(stderr,
            kind == CB_CORRECTION_VOID ? _("  run %lld is voided; r makes it again, and so does --resume\n")
                                       : _("  run %lld has the note\n"),
            (long long)q->last_run);
  return CB_OK;
}

static cb_status obey_key(const cli_run_prompt *p, const daq_asked *q, char key, daq_answer *answer,
                          cb_err *err) {
  if (key == 'q') return cb_fail(err, CB_E_STOPPED, "stopped at a prompt");
  if (key == 's') *answer = DAQ_SKIP;
  if (strchr("rvn", key) && q->last_run == 0) {
    fputs(_("  no run was made yet in this session\n"), stderr);
    return CB_OK;
  }
  if (key == 'r') *answer = DAQ_REPEAT;
  if (key == 'v') return correct_last(p, q, CB_CORRECTION_VOID, err);
  if (key == 'n') return correct_last(p, q, CB_CORRECTION_NOTE, err);
  if (key == '?') print_help(q);
  if (key == 'b') fputs(_("  there is no question before this one\n"), stderr);
  return CB_OK;
}

static bool tell_scanned(void *context, const char *typed, char out[512]) {
  const cli_run_prompt *p = context;
  return daq_scan_tell(p->store, p->campaign, typed, out);
}

cb_status cli_run_ask(const cli_run_prompt *p, const daq_asked *q, daq_answer *answer, cb_err *err) {
  const cli_person_scan scan = {tell_scanned, (void *)(uintptr_t)p};
  *answer = DAQ_GO_ON;
  for (;;) {
    char key;
    CB_TRY(cli_person_key(q->text, q->of_cell ? "rvnsq?b" : "q?b", &scan, &key, err));
    if (!key) return CB_OK;
    CB_TRY(obey_key(p, q, key, answer, err));
    if (*answer != DAQ_GO_ON) return CB_OK;
  }
}
