/* The draped shape of a prediction in the store, and the laws behind it. */
#include <stdlib.h>

#include "cb_store_material_test.h"
#include "cb_text.h"
#include "lab_drape_prediction.h"
#include "law.h"

cb_status lab_drape_shape_keep(cb_store *s, const lab_drape_prediction *p, int64_t *id, cb_err *err) {
  const val_drape_result *d = p->predicted.each ? &p->predicted.each[p->predicted.middle] : NULL;
  cb_material m;
  *id = 0;
  if (!d || d->shape.n_vertices == 0) return CB_OK;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, p->cloth.name, &m, err));
  cb_drape_shape row = {.material_id = m.id,
                        .stretch_law_id = p->cloth.stretch_law_id,
                        .bending_law_id = p->cloth.bending_law_id,
                        .support_m = p->support_cm / 100,
                        .specimen_m = p->specimen_cm / 100,
                        .drape_coefficient = d->drape.drape_coefficient,
                        .seed = (int64_t)d->seed,
                        .seeds = p->predicted.n,
                        .n_vertices = d->shape.n_vertices,
                        .n_triangles = d->shape.n_triangles,
                        .position_m = d->shape.position_m,
                        .triangle = d->shape.triangle};
  CB_TRY(cb_store_shape_put(s, &row, err));
  *id = row.id;
  return CB_OK;
}

cb_status lab_drape_shape_behind(cb_store *s, const cb_material *cloth, const cb_drape_shape *shape,
                                 lab_drape_behind *out, cb_err *err) {
  const int64_t ids[] = {shape->stretch_law_id, shape->bending_law_id};
  *out = (lab_drape_behind){.text = ""};
  for (int k = 0; k < 2; k++) {
    const cb_material_law_kind kind = k == 0 ? CB_LAW_STRETCH : CB_LAW_BENDING;
    const char *word = cb_material_law_kind_names[kind];
    char ref[LAW_REF] = "typed";
    cb_material_law newest = {.id = 0};
    const cb_status st = cb_store_material_law_find(s, cloth, kind, &newest, err);
    if (st != CB_OK && st != CB_E_NOTFOUND) return st;
    if (st == CB_OK) free(newest.result_json);
    if (ids[k] > 0) (void)law_ref(word, ids[k], ref);
    cb_text_add(out->text, sizeof out->text, ", ", "%s %s", word, ref);
    out->older = out->older || (ids[k] > 0 && st == CB_OK && newest.id > ids[k]);
  }
  return CB_OK;
}
