/* Databases that get new names: a person at a terminal is asked about those near to known ones. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_text.h"
#include "cli.h"
#include "cli_person.h"

static cb_status ask(void *context, const cb_name_doubt *d, bool *meant, char person[64], cb_err *err) {
  char name[256], known[256], answer[16];
  bool whole;
  (void)context;
  (void)snprintf(person, 64, "%s", cli_person_name()[0] ? cli_person_name() : "operator");
  for (;;) {
    fprintf(stderr, "The %s '%s' is new, and there is '%s': is that one meant? [y/n] ",
            cb_material_kind_names[d->kind], cb_text_show(d->name, name, sizeof name),
            cb_text_show(d->known, known, sizeof known));
    CB_TRY(cli_person_line(answer, sizeof answer, &whole, err));
    *meant = whole && strcmp(answer, "y") == 0;
    if (*meant || (whole && strcmp(answer, "n") == 0)) return CB_OK;
  }
}

cb_name_question *cli_name_question(void) {
  return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) ? ask : NULL;
}

cb_status cli_open_named(const char *path, bool new_names, cb_store **s, cb_err *err) {
  return cb_store_open_named(path, new_names, cli_name_question(), s, err);
}
