/* The selection of runs, with the same options and words for every command that has one. */
#ifndef CLI_SELECTION_H
#define CLI_SELECTION_H

#include "cli.h"
#include "lab_selection.h"

typedef struct cli_selection {
  lab_selection sel;       /* after cli_selection_take */
  const char *origin_name; /* as typed, like the next */
  double campaign;         /* 0: not given */
} cli_selection;

/* Entries of a command's table of options; s is a cli_selection. */
#define CLI_SELECTION_OPTIONS(s)                                                                         \
  {"origin", CLI_TEXT, &(s).origin_name, "only runs that are measured, imported, virtual or simulated"}, \
      {"lot", CLI_TEXT, &(s).sel.lot, "only runs of this lot of the cloth"},                             \
      {"specimen", CLI_TEXT, &(s).sel.specimen, "only runs of this specimen: its name or mark"},         \
      {"campaign", CLI_NUMBER, &(s).campaign, "only runs of this campaign", .min = 1, .max = 1e15},      \
      {"rig", CLI_TEXT, &(s).sel.rig, "only runs of the rig of this name"},                              \
      {"since", CLI_TEXT, &(s).sel.since, "only runs from this day on, as 2026-11-24, UTC"}, {           \
    "until", CLI_TEXT, &(s).sel.until, "only runs to the end of this day"                                \
  }

/* Reads what was typed. Returns -1 to go on, or the exit code after a message. */
int cli_selection_take(const char *command, cli_selection *s);

/* Says "12 of 40 runs: lot B, since 2026-01-03"; nothing if every run is selected. cloth and body narrow what
 * there is to select from; NULL: any. Errors: CB_E_NOTFOUND if no run is selected; those of
 * lab_selection_check. */
CB_CHECKED cb_status cli_selection_say(const char *command, cb_store *s, const lab_selection *sel,
                                       const char *cloth, const char *body, cb_err *err);

#endif
