/* A friction law as a JSON object, both ways. */
#ifndef EXCH_FRICTION_H
#define EXCH_FRICTION_H

#include "exch_json.h"
#include "exch_material.h"

/* NULL: out of memory, or verdicts that are no JSON. */
json_t *exch_friction_json(const exch_friction *f);
/* Allocates f's texts; on failure too they are the caller's to free. */
CB_CHECKED cb_status exch_friction_read(const exch_at *at, exch_friction *f, cb_err *err);

#endif
