#include "daq_specimen.h"

#include <stdio.h>
#include <string.h>

#include "daq_campaign_impl.h"

static cb_status fail(const cb_specimen *p, const char *what, const char *is, const char *wanted,
                      cb_err *err) {
  return cb_fail(err, CB_E_RANGE, "specimen '%s' (%s) is of %s '%s': the campaign says '%s'", p->name,
                 p->mark, what, is, wanted);
}

cb_status daq_specimen_find(cb_store *s, const daq_campaign *c, cb_specimen *p, cb_err *err) {
  const cb_conditions *said = &c->conditions;
  cb_material cloth;
  *p = (cb_specimen){.id = 0, .side = -1};
  if (!c->specimen[0]) return CB_OK;
  CB_TRY(cb_store_specimen_find(s, c->specimen, p, err));
  const cb_status st = cb_store_material_find(s, CB_CLOTH, c->cloth, &cloth, NULL);
  if (st != CB_OK || cloth.id != p->cloth_id) return fail(p, "cloth", p->cloth, c->cloth, err);
  if (p->lot[0] && said->cloth_lot[0] && strcmp(p->lot, said->cloth_lot) != 0)
    return fail(p, "lot", p->lot, said->cloth_lot, err);
  if (p->side >= 0 && said->cloth_side >= 0 && p->side != said->cloth_side)
    return fail(p, "side", cb_side_names[p->side], cb_side_names[said->cloth_side], err);
  return CB_OK;
}

cb_status daq_specimen_fill(cb_store *s, daq_campaign *c, cb_err *err) {
  cb_specimen p;
  CB_TRY(daq_specimen_find(s, c, &p, err));
  if (p.id && !c->conditions.cloth_lot[0]) memcpy(c->conditions.cloth_lot, p.lot, sizeof p.lot);
  if (p.id && c->conditions.cloth_side < 0) c->conditions.cloth_side = p.side;
  return CB_OK;
}
