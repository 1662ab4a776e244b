/* Plays one row of the list: its commands, then its values out of what they printed and wrote. */
#ifndef PAPER_PLAY_H
#define PAPER_PLAY_H

#include "paper_list.h"

/* Runs the row's commands in folder/ID, which is made anew and sees scenes/, rigs/, materials/, materials.db
 * and docs/ of `top`. What command N prints goes to N.out there. Prints every value beside the paper's and
 * what is wanted, and keeps it in the row, with commit, day and machine. A command ends with 0, or with 3
 * where the row says so. Errors: CB_E_IO, another end of a command; CB_E_NOTFOUND, a value that is not where
 * the row says. */
CB_CHECKED cb_status paper_play(paper_row *row, const char *top, const char *folder, cb_err *err);

#endif
