/* A proof as a table for people, and as a document. */
#ifndef CONF_TELL_H
#define CONF_TELL_H

#include <jansson.h>
#include <stdio.h>

#include "conf_proof.h"

/* Writes one line per experiment, and the passport. */
void conf_proof_write(const conf_proof *p, FILE *to);
/* docs/reference/json/drape.md. Returns a new reference; NULL: no memory. */
json_t *conf_proof_json(const conf_proof *p);

#endif
