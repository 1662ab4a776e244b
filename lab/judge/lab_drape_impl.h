/* The law and the stored document of lab_drape.h, and judged numbers of lab_drape_prediction.h, private to
 * lab/. */
#ifndef LAB_DRAPE_IMPL_H
#define LAB_DRAPE_IMPL_H

#include "lab_drape.h"
#include "lab_drape_prediction.h"

/* Reads the text of a column. The caller calls lab_drape_clear, even after an error. Errors: CB_E_PARSE,
 * CB_E_RANGE for a wrong law; CB_E_DB for another document. */
CB_CHECKED cb_status lab_drape_read(const char *text, lab_drape *out, cb_err *err);

/* Fills c->odd from the material. */
void lab_drape_judge_numbers(lab_drape_cloth *c);

#endif
