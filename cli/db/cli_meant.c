#include "cli_meant.h"

#include <stdio.h>
#include <string.h>

#include "lab_meant.h"

/* Of one command line. */
#define MEANT_MOST 8

static const char *keep(const char *name) {
  static char kept[MEANT_MOST][64];
  static size_t n;
  if (n == MEANT_MOST) return NULL;
  (void)snprintf(kept[n], sizeof kept[n], "%s", name);
  return kept[n++];
}

int cli_meant(const char *command, const char *db, cli_opt_kind kind, const char **name) {
  static const cb_material_kind both[] = {CB_CLOTH, CB_BODY};
  cb_store *s = NULL;
  char meant[64];
  cb_err err = {""};
  if (!*name || cb_store_open(cli_db_to_read(db), CB_STORE_READ, &s, NULL) != CB_OK) return -1;
  const cb_status st =
      lab_meant(s, kind == CLI_BODY ? both + 1 : both, kind == CLI_TEXT ? 2 : 1, *name, meant, &err);
  (void)!cb_store_close(s, NULL);
  if (st == CB_E_ARG) return cli_fail(command, st, &err);
  const char *whole = st == CB_OK && strcmp(meant, *name) != 0 && strlen(*name) < 64 ? keep(meant) : NULL;
  if (!whole) return -1;
  cli_say(command, "'%s' is taken for '%s'", *name, whole);
  *name = whole;
  return -1;
}
