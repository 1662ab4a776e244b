/* What the reader of rig files takes of that of their templates. */
#ifndef CB_RIG_IMPL_H
#define CB_RIG_IMPL_H

#include "cb_rig.h"

extern const char *const cb_parity_names[]; /* by cb_parity */

extern const char cb_rig_smc100[]; /* rigs/stages/smc100.yaml */

/* Reads the section. *out is zeroed before. Errors, with file:line: those of cb_yaml_bind, and what keeps a
 * template from working: no stop, a placeholder that is unknown or stands in the wrong place, a question
 * without what it is asked for, a rule without a known meaning. */
CB_CHECKED cb_status cb_rig_lines_bind(cb_ynode at, cb_rig_lines *out, cb_err *err);

#endif
