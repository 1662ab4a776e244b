/* Private to lab/. */
#ifndef LAB_SPECIMEN_PARTS_H
#define LAB_SPECIMEN_PARTS_H

#include "lab_specimen.h"

/* A specimen as part of a document. Returns NULL without memory. The caller calls json_decref. */
json_t *lab_specimen_facts_json(const cb_specimen *p);

#endif
