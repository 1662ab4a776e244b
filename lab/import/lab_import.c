#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_import_parts.h"

cb_status lab_import_open(const lab_import *q, cb_store **s, cb_err *err) {
  return cb_store_open_named(q->db, q->new_names, q->ask, s, err);
}

void lab_import_name(const char *file, const char *fingerprint, char out[64]) {
  const char *slash = strrchr(file, '/');
  int room = 62 - (int)strlen(fingerprint);
  (void)snprintf(out, 64, "%.*s#%s", room, slash ? slash + 1 : file, fingerprint);
}

cb_status lab_import_refuse_again(cb_store *s, const char *file, const char *fingerprint, cb_err *err) {
  cb_campaign *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    const char *mark = strrchr(list[i].name, '#');
    if (list[i].kind == CB_CAMPAIGN_IMPORT && mark && strcmp(mark + 1, fingerprint) == 0)
      st = cb_fail(err, CB_E_RANGE,
                   "%s: this very file was imported into %s on %s (campaign %lld): it would count twice",
                   file, cb_store_path(s), list[i].created_at, (long long)list[i].id);
  }
  free(list);
  return st;
}
