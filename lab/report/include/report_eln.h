/* A package for electronic laboratory notebooks: an RO-Crate 1.1 in a zip file, FILE.eln.
 * docs/guide/query.md says what is in it.
 *
 * Specifications: "Specification for the ELN file format" (TheELNConsortium); "RO-Crate Metadata
 * Specification 1.1" (doi 10.5281/zenodo.4541002). */
#ifndef REPORT_ELN_H
#define REPORT_ELN_H

#include "cb_store.h"

typedef struct report_eln_request {
  const int64_t *campaigns; /* which; n_campaigns 0: all */
  size_t n_campaigns;
  const char *license; /* an URL or a sentence; NULL: none was stated, and the package says so */
} report_eln_request;

/* Writes the package: the file is whole or not there. Errors: CB_E_NOTFOUND without gnuplot or such a
 * campaign, or if the database has none; CB_E_IO. */
CB_CHECKED cb_status report_eln_write(cb_store *s, const report_eln_request *q, const char *path,
                                      cb_err *err);

#endif
