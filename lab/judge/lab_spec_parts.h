/* The file of lab_spec.h, private to lab. */
#ifndef LAB_SPEC_PARTS_H
#define LAB_SPEC_PARTS_H

#include "cb_yaml.h"
#include "lab_spec.h"

/* Reads the lines; what is measured of them is left 0. head, if not NULL, receives the node `certificate`.
 * Errors: those of cb_yaml_bind. */
CB_CHECKED cb_status lab_spec_read(const cb_yaml *doc, lab_spec list[LAB_SPEC_MAX], size_t *n, cb_ynode *head,
                                   cb_err *err);

/* Judges a line by the selected runs; c receives their chart. The caller calls lab_chart_clear, even after an
 * error. Errors: those of lab_chart_make. */
CB_CHECKED cb_status lab_spec_judge_line(cb_store *s, const lab_chart_query *query, lab_spec *out,
                                         lab_chart *c, cb_err *err);

#endif
