/* Do the laws of single cloths predict the air through a stack of them? docs/method/air-layers.md. */
#ifndef LAB_STACK_H
#define LAB_STACK_H

#include <jansson.h>

#include "lab_permeability.h"

/* One measured point. Velocities are face velocities [m/s] at the pressure across the whole stack. */
typedef struct lab_stack_point {
  int64_t test_id;
  double pressure_Pa, measured_m_per_s, predicted_m_per_s;
  double U_measured_ln, U_predicted_ln; /* of ln v, 95 %: for one piece of each cloth */
  double en;                            /* of ln v (ISO 13528) */
  bool inside_measured_range;           /* of every law */
} lab_stack_point;

typedef struct lab_stack {
  char cloth[64]; /* that was measured: the stack */
  lab_layers layers;
  lab_stack_point *points; /* owned */
  size_t n;
  double worst_en; /* the largest |E_n| */
  bool pass;       /* it is at most 1 */
  int64_t validation_id;
} lab_stack;

/* Compares with every point of the tests of `cloth`, the stack, as it was sewn or laid. None of them is in a
 * law of the layers. CB_E_NOTFOUND: no such cloth, no tests. CB_E_RANGE: it is one of the layers. Caller:
 * lab_stack_clear, also after a failure. */
CB_CHECKED cb_status lab_stack_judge(cb_store *s, const lab_layers *layers, const char *cloth, lab_stack *out,
                                     cb_err *err);
void lab_stack_clear(lab_stack *k);

/* As a row of `validation`; sets k->validation_id. */
CB_CHECKED cb_status lab_stack_keep(cb_store *s, lab_stack *k, cb_err *err);
/* docs/reference/json, "validate stack". NULL: no memory. Caller: json_decref. */
json_t *lab_stack_json(const lab_stack *k);

#endif
