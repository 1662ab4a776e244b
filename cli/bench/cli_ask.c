#include "cli_ask.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_text.h"
#include "cb_language.h"
#include "cli.h"
#include "cli_person.h"
#include "daq_conditions.h"

/* ---- one question ---- */

static void put_line(const char *text) {
  char line[1100];
  (void)snprintf(line, sizeof line, "  %s\n", text);
  cli_wrap(stderr, line);
}

static void print_question(const daq_questions *q, size_t i) {
  char text[300], shown[DAQ_ANSWER], line[1000];
  daq_proposal p;
  daq_ask_text(&q->table[i], text);
  daq_questions_proposal(q, i, &p);
  if (p.why[0]) put_line(p.why);
  (void)snprintf(line, sizeof line, "  %s%s%s%s: ", text,
                 p.text[0] ? q->given[i] ? _(" (Enter: stays ") : _(" (Enter: ") : "",
                 cb_text_show(daq_ask_shown(&q->table[i], p.text), shown, sizeof shown),
                 p.text[0] ? _(")") : "");
  cli_wrap(stderr, line);
}

static cb_status leave(const daq_questions *q, const char *why, cb_err *err) {
  char sentence[200];
  (void)snprintf(sentence, sizeof sentence, "%s", why);
  return cb_fail(err, CB_E_STOPPED, "%s: %s", sentence, _(q->left));
}

/* Asks until there is an answer, or the person goes back. */
static cb_status ask_one(daq_questions *q, size_t i, bool *back, cb_err *err) {
  char line[DAQ_ANSWER], help[1000];
  for (;;) {
    bool whole;
    cb_err wrong = {""};
    print_question(q, i);
    const cb_status st = cli_person_line(line, sizeof line, &whole, err);
    if (st != CB_OK) fputc('\n', stderr);
    if (st != CB_OK) return leave(q, err->msg, err);
    const char key = whole ? daq_questions_key(q, i, line) : '\0';
    *back = key == 'b';
    if (*back) return CB_OK;
    if (key == 'q') return leave(q, _("stopped at a question"), err);
    if (key == '?') {
      daq_questions_explain(q, i, help);
      put_line(help);
    } else if (!whole) {
      put_line(_("the line has a NUL, or more bytes than 511: a shorter line of text was wanted"));
    } else if (daq_questions_answer(q, i, line, &wrong) == CB_OK) {
      return CB_OK;
    } else {
      put_line(wrong.msg);
    }
  }
}

/* ---- the list ---- */

static cb_status take_up(daq_questions *q, const char *draft, cb_err *err) {
  char text[DAQ_ANSWER + 80];
  bool yes;
  if (access(draft, F_OK) != 0) return CB_OK;
  (void)snprintf(text, sizeof text, _("%s has answers of an earlier start: go on with them"), draft);
  CB_TRY(cli_ask_yes(text, N_("No begins anew, and forgets them"), q->left, &yes, err));
  return yes ? daq_questions_load(q, draft, err) : CB_OK;
}

cb_status cli_ask(const char *command, daq_questions *q, const char *draft, cb_err *err) {
  if (draft) CB_TRY(take_up(q, draft, err));
  size_t i = daq_questions_next(q, 0);
  while (i < q->n && draft && q->given[i]) i = daq_questions_next(q, i + 1);
  if (i < q->n)
    cli_say(command,
            _("? explains a question, b goes back to the one before, q leaves; Enter takes what is in "
              "brackets"));
  while (i < q->n) {
    bool back;
    CB_TRY(ask_one(q, i, &back, err));
    if (draft && !back) CB_TRY(daq_questions_save(q, draft, err));
    const size_t to = back ? daq_questions_before(q, i) : daq_questions_next(q, i + 1);
    if (back && to == q->n) put_line(_("this is the first question"));
    if (!back || to < q->n) i = to;
  }
  return CB_OK;
}

/* ---- lists of one ---- */

cb_status cli_ask_line(const daq_ask *question, char out[DAQ_ANSWER], bool *back, cb_err *err) {
  daq_questions q = {.table = question, .n = 1, .left = N_("nothing is kept of it")};
  CB_TRY(ask_one(&q, 0, back, err));
  memcpy(out, q.answer[0], DAQ_ANSWER);
  *back = *back || !out[0];
  return CB_OK;
}

static void propose_yes(void *context, size_t i, daq_proposal *p) {
  (void)context, (void)i;
  (void)snprintf(p->text, sizeof p->text, "yes");
}

cb_status cli_ask_yes(const char *text, const char *help, const char *left, bool *yes, cb_err *err) {
  static const char *const words[] = {N_("yes"), N_("no"), NULL};
  const daq_ask table = {{"answer", CB_Y_ENUM, .choices = words}, text, help, NULL, "yes"};
  daq_questions q = {.table = &table, .n = 1, .left = left, .propose = propose_yes};
  for (bool back = true; back;) {
    CB_TRY(ask_one(&q, 0, &back, err));
    if (back) put_line(_("no question comes before this one"));
  }
  *yes = strcmp(q.answer[0], "yes") == 0;
  return CB_OK;
}

/* ---- air and specimen ---- */

static bool is_unknown(void *context, size_t i) { return !daq_conditions_known(context, i); }

cb_status cli_ask_conditions(cb_conditions *c, cb_err *err) {
  cb_conditions said = *c; /* by the file */
  daq_questions q = {.table = daq_conditions_questions,
                     .n = DAQ_N_CONDITIONS,
                     .left = N_("nothing of this campaign was measured or stored, its answers neither"),
                     .wanted = is_unknown,
                     .context = &said};
  if (daq_questions_next(&q, 0) < q.n)
    cli_say("run", _("what the campaign file does not say is asked once; Enter leaves it unrecorded"));
  CB_TRY(cli_ask("run", &q, NULL, err));
  for (size_t i = 0; i < q.n; i++)
    if (q.given[i]) CB_TRY(daq_conditions_answer(c, i, q.answer[i], err));
  return CB_OK;
}
