/* fit_trace_read, of the texts of its files. */
#ifndef FIT_TRACE_PARSE_H
#define FIT_TRACE_PARSE_H

#include "fit_table_raw.h"
#include "fit_trace.h"

/* motion: both names NULL where the force's file has it all. */
typedef struct fit_trace_files {
  fit_table_file force_mapping, force, motion_mapping, motion;
} fit_trace_files;

/* Errors say file:line, column, value, what was wanted. Caller: fit_trace_clear, also after a failure. */
CB_CHECKED cb_status fit_trace_parse(const fit_trace_files *files, fit_trace *out, cb_err *err);

#endif
