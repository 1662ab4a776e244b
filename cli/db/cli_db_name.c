/* clothbench db rename | alias | unalias: names of cloths and bodies. */
#include <stdio.h>
#include <string.h>

#include "cb_text.h"
#include "cli.h"
#include "cli_db.h"
#include "cli_person.h"
#include "lab_correction.h"

static cb_status name_material(cb_store *s, const cli_db_request *q, cb_naming *n, cb_err *err) {
  bool joined;
  CB_TRY(cb_check_line(n->reason, "--reason", err));
  CB_TRY(cb_check_line(n->operator_name, "--operator", err));
  if (n->other) CB_TRY(cb_check_line(n->other, "the other name", err));
  if (!n->operator_name[0]) return cb_fail(err, CB_E_ARG, "--operator: a name was wanted");
  if (q->which == CLI_DB_UNALIAS) {
    n->kind = q->kind && strcmp(q->kind, "body") == 0 ? CB_BODY : CB_CLOTH;
    CB_TRY(cb_store_unalias(s, n, err));
    printf("%s '%s' stands for itself again\n", cb_material_kind_names[n->kind], n->name);
    return CB_OK;
  }
  const bool rename = q->which == CLI_DB_RENAME;
  CB_TRY(lab_correction_kind(s, q->kind, rename ? n->name : n->other, &n->kind, err));
  if (!rename) {
    CB_TRY(cb_store_alias(s, n, &joined, err));
    printf(joined ? "all that was said of %s '%s' counts for '%s' now: 'clothbench fit' makes its laws anew\n"
                  : "%s '%s' means '%s' now\n",
           cb_material_kind_names[n->kind], n->name, n->other);
    return CB_OK;
  }
  CB_TRY(cb_store_rename(s, n, err));
  printf("%s '%s' is called '%s' now; it is still found by the old name\n", cb_material_kind_names[n->kind],
         n->name, n->other);
  return CB_OK;
}

int cli_db_name(const void *request) {
  const cli_db_request *q = request;
  cb_err err = {""};
  cb_store *s = NULL;
  cb_naming n = {.name = q->n > 0 ? q->words[0] : NULL,
                 .other = q->n > 1 ? q->words[1] : NULL,
                 .reason = q->reason,
                 .operator_name = q->operator_name ? q->operator_name : cli_person_name()};
  if (q->set) return cli_db_refuse_set();
  if (!n.name || !q->reason || !q->reason[0] || (n.other == NULL) != (q->which == CLI_DB_UNALIAS)) {
    cli_say("db", "rename OLD NEW, alias NAME MEANT or unalias NAME was wanted, with --reason TEXT");
    return CLI_USAGE;
  }
  cb_status st = cli_db_open_known(q->db, &s, &err);
  if (st == CB_OK) st = name_material(s, q, &n, &err);
  return cli_db_finish(s, st, &err);
}
