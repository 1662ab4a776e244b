/* Private to laws/: the rows of the table, each in its law's folder. */
#ifndef LAW_ROWS_H
#define LAW_ROWS_H

#include "law.h"

#define LAW_ROW(NAME, name) extern const law_row law_##name;
CB_LAWS(LAW_ROW)

/* Gives one figure to `take`; format and what follows say where it holds. */
void law_tell(law_take *take, void *to, law_figure f, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* ", not measured there", or "". */
const char *law_outside(bool inside_measured_range);

#endif
