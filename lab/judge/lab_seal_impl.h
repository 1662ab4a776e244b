/* Private to lab/. */
#ifndef LAB_SEAL_IMPL_H
#define LAB_SEAL_IMPL_H

#include "lab_seal.h"

/* Makes {"sealed_at": , "version": , "sha256": }. Returns NULL without memory. */
json_t *lab_seal_json(const lab_seal *s);

#endif
