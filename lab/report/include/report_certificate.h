/* A certificate on one sheet of A4: what was measured of a pair, and whether it keeps its limits. */
#ifndef REPORT_CERTIFICATE_H
#define REPORT_CERTIFICATE_H

#include "lab_certificate.h"

/* Writes the certificate to a file that ends in .svg, or in .pdf by librsvg's rsvg-convert. spec: the path of
 * the specification, beside which its logo lies. Errors: CB_E_ARG for another ending; CB_E_NOTFOUND without
 * rsvg-convert; those of the files. */
CB_CHECKED cb_status report_certificate_write(const lab_certificate *c, const char *spec, const char *path,
                                              cb_err *err);

#endif
