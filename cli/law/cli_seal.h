/* Sealed predictions of the commands that predict. */
#ifndef CLI_SEAL_H
#define CLI_SEAL_H

#include "cli.h"
#include "lab_seal.h"

/* Writes a prediction and its SHA-256 (lab_seal_write), says so, and releases the document; doc NULL means
 * that memory ran out. */
CB_CHECKED cb_status cli_seal_write(const char *path, const char *kind, json_t *doc, cb_err *err);

#endif
