/* Names of cloths and bodies as people type them at commands that ask: in another case, or a part. */
#ifndef CLI_MEANT_H
#define CLI_MEANT_H

#include "cli.h"

/* Replaces *name by the whole name that it means in the database (lab_meant.h), and says so on stderr. It
 * stays as it is where it means none, or where the database cannot be read: the command then says why. kind:
 * CLI_CLOTH, CLI_BODY, or CLI_TEXT for both. db NULL: the one that commands read. Returns -1, or the code to
 * return after a sentence with the names that are meant. The text lives as long as the program. */
int cli_meant(const char *command, const char *db, cli_opt_kind kind, const char **name);

#endif
