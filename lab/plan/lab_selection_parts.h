/* Private to lab/. */
#ifndef LAB_SELECTION_PARTS_H
#define LAB_SELECTION_PARTS_H

#include "lab_selection.h"

/* Checks what can be wrong before any run is read. Errors: CB_E_ARG if since or until is no such date;
 * CB_E_NOTFOUND without such a specimen or campaign. */
CB_CHECKED cb_status lab_selection_check(cb_store *s, const lab_selection *sel, cb_err *err);

#endif
