#include "cli_run_prompt.h"

#include <stdio.h>
#include <string.h>

#include "cb_store_correction.h"
#include "cb_text.h"
#include "cli_person.h"

static void print_help(const daq_asked *q) {
  fputs("  Enter  goes on: all is done that stands above\n", stderr);
  if (q->of_cell)
    fputs("  r      makes the last run again, as sample and cart lie now, and voids it\n", stderr);
  if (q->of_cell) fputs("  v      voids the last run\n  n      says something of the last run\n", stderr);
  if (q->of_cell) fputs("  s      leaves out what stands above; --resume asks for it again\n", stderr);
  fputs("  q      stops; --resume goes on\n  ?      this text\n", stderr);
}

/* A line of text for a correction; "": none was given. */
static cb_status ask_reason(const char *question, char out[512], cb_err *err) {
  bool whole;
  fprintf(stderr, "  %s (Enter: nothing is kept): ", question);
  CB_TRY(cli_person_line(out, 512, &whole, err));
  if (whole && cb_check_line(out, "the text", NULL) == CB_OK) return CB_OK;
  fputs("  one line of plain text of at most 511 bytes was wanted; nothing is kept\n", stderr);
  out[0] = '\0';
  return CB_OK;
}

/* What is wrong with the correction is said, and the prompt comes again. */
static cb_status correct_last(const cli_run_prompt *p, const daq_asked *q, cb_correction_kind kind,
                              cb_err *err) {
  cb_correction c = {.run_id = q->last_run, .kind = kind};
  cb_err wrong = {""};
  CB_TRY(ask_reason(kind == CB_CORRECTION_VOID ? "why" : "what", c.reason, err));
  if (!c.reason[0]) return CB_OK;
  (void)snprintf(c.operator_name, sizeof c.operator_name, "%s", p->person);
  if (cb_store_correction_put(p->store, &c, &wrong) != CB_OK)
    fprintf(stderr, "  %s\n", wrong.msg);
  else
    fprintf(
        stderr, "  run %lld %s\n", (long long)q->last_run,
        kind == CB_CORRECTION_VOID ? "is voided; r makes it again, and so does --resume" : "has the note");
  return CB_OK;
}

static cb_status obey_key(const cli_run_prompt *p, const daq_asked *q, char key, daq_answer *answer,
                          cb_err *err) {
  if (key == 'q') return cb_fail(err, CB_E_STOPPED, "stopped at a prompt");
  if (key == 's') *answer = DAQ_SKIP;
  if (strchr("rvn", key) && q->last_run == 0) {
    fputs("  no run was made yet in this session\n", stderr);
    return CB_OK;
  }
  if (key == 'r') *answer = DAQ_REPEAT;
  if (key == 'v') return correct_last(p, q, CB_CORRECTION_VOID, err);
  if (key == 'n') return correct_last(p, q, CB_CORRECTION_NOTE, err);
  if (key == '?') print_help(q);
  return CB_OK;
}

cb_status cli_run_ask(const cli_run_prompt *p, const daq_asked *q, daq_answer *answer, cb_err *err) {
  *answer = DAQ_GO_ON;
  for (;;) {
    char key;
    CB_TRY(cli_person_key(q->text, q->of_cell ? "rvnsq?" : "q?", &key, err));
    if (!key) return CB_OK;
    CB_TRY(obey_key(p, q, key, answer, err));
    if (*answer != DAQ_GO_ON) return CB_OK;
  }
}
