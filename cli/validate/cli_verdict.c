#include "cli_verdict.h"

#include <unistd.h>

cb_status cli_verdict_keep(const char *db, cli_verdict_keeper *keep, void *verdict, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  const bool reference = cb_store_is_reference(s);
  (void)cb_store_close(s, NULL);
  if (reference || access(db, W_OK) != 0) {
    cli_say("validate",
            reference ? "%s is a reference database: the verdict is not kept"
                      : "%s is read-only: the verdict is not kept",
            db);
    return CB_OK;
  }
  CB_TRY(cb_store_open(db, CB_STORE_WRITE, &s, err));
  return cb_store_close_after(s, keep(s, verdict, err), err);
}
