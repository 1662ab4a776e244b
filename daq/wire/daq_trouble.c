#include "daq_trouble.h"

#include <stdio.h>

typedef struct notes {
  daq_trouble_note *list;
  size_t n;
} notes;

/* now: the count so far, of which *told were noted before. example: NULL for none. */
static void add_note(notes *to, const char *kind, size_t now, size_t *told, const char *what,
                     const char *example) {
  size_t news = now - *told;
  *told = now;
  if (news == 0) return;
  daq_trouble_note *n = &to->list[to->n++];
  n->kind = kind;
  if (example)
    (void)snprintf(n->text, sizeof n->text, "%zu: %s, such as \"%s\"", news, what, example);
  else
    (void)snprintf(n->text, sizeof n->text, "%zu: %s", news, what);
}

size_t daq_trouble_news(daq_bench *b, daq_trouble *told, daq_trouble_note list[DAQ_TROUBLE_NOTES]) {
  daq_force *f = &b->force;
  daq_stage *s = &b->stage;
  notes to = {list, 0};
  add_note(&to, "unreadable", f->n_unreadable, &told->unreadable,
           "lines of the force read-out that were no reading", f->unreadable);
  add_note(&to, "unanswered", f->n_unanswered, &told->unanswered,
           "questions to the force read-out that had no whole answer in time and were asked again", NULL);
  add_note(&to, "format", f->n_reformatted, &told->reformatted,
           "times the read-out changed the form of its lines for good", NULL);
  add_note(&to, "print", f->shortest, &told->shortest,
           "read-out that leaves out trailing zeros: a line that lost digits cannot be told by its form",
           NULL);
  add_note(&to, "clipped", f->n_clipped, &told->clipped, "samples at an end of the board's converter", NULL);
  add_note(&to, "late", b->n_late, &told->late,
           "answers that came too late to know their time, and were left out", NULL);
  add_note(&to, "retry", s->n_retried, &told->retried,
           "questions to the stage that were not answered in time and were asked again", NULL);
  add_note(&to, "stray", s->n_stray, &told->stray,
           "replies of the stage to no open question, late or another device's", NULL);
  add_note(&to, "stage-unreadable", s->n_unreadable, &told->stage_unreadable,
           "messages of the stage that could not be read", s->unreadable);
  f->unreadable[0] = s->unreadable[0] = '\0';
  return to.n;
}
