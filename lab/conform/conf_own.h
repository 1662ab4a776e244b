/* Parts of playing an experiment in this program's own simulator. */
#ifndef CONF_OWN_H
#define CONF_OWN_H

#include "conf_case.h"
#include "sim_cloth.h"

typedef struct conf_solids {
  sim_body body[2];
  int n;
  sim_solid *pad; /* owned */
} conf_solids;

/* Makes the bodies of a case. Caller: sim_solid_free of the pad. Errors: those of sim_solid_new. */
CB_CHECKED cb_status conf_solids_make(const conf_case *c, conf_solids *out, cb_err *err);
/* Before a step: moves the pads to where they press the cloth with their force. */
void conf_solids_press(const conf_case *c, const sim_material *material, sim_cloth *cloth);

#endif
