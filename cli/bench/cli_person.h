/* Dialogue with the person at the bench, who may press Ctrl-C at any prompt. The command must have called
 * cb_signals_listen. */
#ifndef CLI_PERSON_H
#define CLI_PERSON_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* The prompt before motion and before weights. It prints the text, and returns CB_OK once Enter is pressed
 * on an empty line after the prompt.
 *
 * A line is empty if it has no byte before its line feed, or only a carriage return. Any other line is
 * printed, explained and asked again. Input that waits on a terminal when the prompt is written was typed
 * before it (a second Enter, the rest of a paste) and is discarded, also when the prompt is repeated. An
 * empty line within 0.2 s of a refused one belongs to that paste, too. A pipe is read line by line, without
 * these two rules.
 *
 * context is not used; the signature is that of the engine's prompts. Error: CB_E_STOPPED after a signal, or
 * at the end of the input, even within a line. */
CB_CHECKED cb_status cli_person_confirm(void *context, const char *text, cb_err *err);

/* What a scanner has typed at the prompt: true, and a sentence without its full stop, where it is known. */
typedef struct cli_person_scan {
  bool (*tell)(void *context, const char *typed, char out[512]);
  void *context;
} cli_person_scan;

/* Does the same, and also returns at a line that is one of the keys alone; *key is that key, or 0 for Enter.
 * A line that scan knows is answered by its sentence. */
CB_CHECKED cb_status cli_person_key(const char *text, const char *keys, const cli_person_scan *scan,
                                    char *key, cb_err *err);

/* Reads one line from standard input for an answer that moves nothing, without its line end and the blanks
 * around it. *whole is false if the line was cut or has a NUL. Error: CB_E_STOPPED, as above. */
CB_CHECKED cb_status cli_person_line(char *out, size_t size, bool *whole, cb_err *err);
/* A tab ends a line at a terminal, since a scanner may end by one. Takes that back, at the program's end. */
void cli_person_leave(void);

/* Returns who is logged in: $USER, else the account's name; "" if neither is known. */
const char *cli_person_name(void);

#endif
