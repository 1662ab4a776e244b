#include "cli_selection.h"

#include <math.h>

#include "cli_kind.h"

int cli_selection_take(const char *command, cli_selection *s) {
  if (s->campaign != floor(s->campaign)) {
    cli_say(command, "--campaign %g: a whole number was wanted", s->campaign);
    return CLI_USAGE;
  }
  s->sel.campaign_id = (int64_t)s->campaign;
  return cli_fit_origin(s->origin_name, &s->sel.origin) ? -1 : CLI_USAGE;
}

cb_status cli_selection_say(const char *command, cb_store *s, const lab_selection *sel, const char *cloth,
                            const char *body, cb_err *err) {
  char said[400];
  CB_TRY(lab_selection_say(s, sel, cloth, body, said, err));
  if (said[0]) cli_say(command, "%s", said);
  return CB_OK;
}
