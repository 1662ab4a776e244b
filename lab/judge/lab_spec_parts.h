/* The file of lab_spec.h, private to lab. */
#ifndef LAB_SPEC_PARTS_H
#define LAB_SPEC_PARTS_H

#include "cb_yaml.h"
#include "lab_spec.h"

/* Reads the lines; what is measured of them is left 0. Errors: those of cb_yaml_bind. */
CB_CHECKED cb_status lab_spec_read(const cb_yaml *doc, lab_spec list[LAB_SPEC_MAX], size_t *n, cb_err *err);

#endif
