#include "sim_model.h"

#include <string.h>

#include "sim_hash.h"

const sim_model *const sim_models[] = {
    &sim_conditions_model, &sim_curtain_model, &sim_remesh_model, &sim_limit_model,
    &sim_splash_model,     &sim_layers_model,  &sim_cloth_model,  NULL};

static void mix_field(uint64_t *hash, const cb_yfield *f, const char *at) {
  int whole;
  switch (f->kind) {
    case CB_Y_STR: sim_hash_bytes(hash, at, strlen(at)); break;
    case CB_Y_NUM: sim_hash_doubles(hash, (const double *)(const void *)at, 1); break;
    case CB_Y_INT:
    case CB_Y_ENUM:
      memcpy(&whole, at, sizeof whole);
      sim_hash_u64(hash, (uint64_t)whole);
      break;
    case CB_Y_BOOL: sim_hash_u64(hash, *(const bool *)at); break;
    case CB_Y_NUMLIST:
      sim_hash_doubles(hash, ((const cb_numlist *)(const void *)at)->v,
                       ((const cb_numlist *)(const void *)at)->n);
      break;
    case CB_Y_NODE: break; /* bound by itself */
  }
}

cb_status sim_section_bind(cb_ynode at, const cb_yfield *fields, size_t n, void *out, sim_told *told,
                           cb_err *err) {
  CB_TRY(cb_yaml_bind(at, fields, n, out, err));
  for (size_t k = 0; k < n; k++) mix_field(&told->hash, &fields[k], (const char *)out + fields[k].offset);
  return CB_OK;
}
