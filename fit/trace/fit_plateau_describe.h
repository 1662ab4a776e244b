/* What a stretch of sliding comes to. */
#ifndef FIT_PLATEAU_DESCRIBE_H
#define FIT_PLATEAU_DESCRIBE_H

#include "fit_plateau.h"

/* n >= 1. Errors: no memory. Bad data are the caller's to refuse. */
CB_CHECKED cb_status fit_plateau_describe(const fit_plateau_record *s, fit_plateau *out, cb_err *err);

#endif
