/* What the forms say. */
#include <stdio.h>
#include <string.h>

#include "lab_correction.h"
#include "report_site_impl.h"

static const char *value_of(const report_site_query *q, const char *key) {
  const char *v = q->value(q->context, key);
  return v ? v : "";
}

static cb_status correct_run(cb_store *s, const report_site_query *q, char to[64], cb_err *err) {
  cb_correction c;
  char set[128] = "";
  lab_said said = {.kind = value_of(q, "kind"),
                   .run = value_of(q, "run"),
                   .reason = value_of(q, "reason"),
                   .person = q->signed_in ? q->person : value_of(q, "by")};
  if (value_of(q, "field")[0]) {
    (void)snprintf(set, sizeof set, "%.40s=%.80s", value_of(q, "field"), value_of(q, "value"));
    said.set = set;
  }
  CB_TRY(lab_correction_read(s, &said, &c, err));
  CB_TRY(cb_store_correction_put(s, &c, err));
  (void)snprintf(to, 64, "run-%lld.html", (long long)c.run_id);
  return CB_OK;
}

cb_status report_site_form(cb_store *s, const report_site_query *q, char to[64], cb_err *err) {
  if (strcmp(q->path, "/correct") == 0) return correct_run(s, q, to, err);
  if (strcmp(q->path, "/type") == 0) return site_type_form(s, q, to, err);
  return cb_fail(err, CB_E_NOTFOUND, "there is no form '%.100s'", q->path);
}
