/* What a certificate says of a pair: who measured it, when, on what, what came out, and whether the limits of
 * a specification are kept (lab_spec.h). */
#ifndef LAB_CERTIFICATE_H
#define LAB_CERTIFICATE_H

#include "lab_sha256.h"
#include "lab_spec.h"

#define LAB_CERTIFICATE_WORDS 240

typedef struct lab_certificate {
  /* What the file says under `certificate`; "": nothing. */
  char laboratory[80], address[160], customer[120], item[120], authorised_by[64],
      remark[LAB_CERTIFICATE_WORDS], logo[256]; /* a picture, PNG or SVG, beside the file */
  char number[40];
  cb_material cloth, body;
  lab_spec lines[LAB_SPEC_MAX];
  size_t n_lines, n_kept;
  bool by_campaign; /* a line is the mean of campaigns, not of days */
  /* Of the runs behind all lines. */
  cb_origin origin;
  size_t n_runs;
  char first_day[11], last_day[11], selection[320]; /* UTC; "": all runs */
  char operators[LAB_CERTIFICATE_WORDS], rigs[LAB_CERTIFICATE_WORDS], calibrations[LAB_CERTIFICATE_WORDS],
      lots[LAB_CERTIFICATE_WORDS];
  double temperature_degC[2], humidity_percent[2]; /* lowest and highest; NAN: not recorded */
  char digest[LAB_SHA256_TEXT];                    /* of the runs and the lines */
} lab_certificate;

/* Reads a specification and judges it as lab_spec_judge does. Errors: its own, and CB_E_NOTFOUND without such
 * a material. */
CB_CHECKED cb_status lab_certificate_make(cb_store *s, const char *path, const lab_chart_query *q,
                                          lab_certificate *out, cb_err *err);

#endif
