/* The operator of the virtual bench, who turns the cloth and puts weights on the cart: one line in, the answer out.
 *
 *   sample angle_deg=45        the cloth is turned on the bed
 *   body angle_deg=45          the cloth on the cart's body is turned
 *   cart added_mass_kg=0.1     the weight on the cart is changed
 *   weight mass_kg=0.1         so much conventional mass hangs on the load cell
 *   truth                      what is true inside, at 10 mm/s and without scatter
 *
 * After the first three the cart stands where the link is slack and centred. Answers: "ok\n", or "error: sentence\n"; before the ok
 * of `truth` a line "truth kinetic_N=... static_N=...". */
#ifndef VRIG_OPERATOR_H
#define VRIG_OPERATOR_H

#include "vrig_bench.h"

#define VRIG_OPERATOR_ANSWER_MAX 640

void vrig_operator_line(vrig_bench *b, const char *line, char answer[VRIG_OPERATOR_ANSWER_MAX]);

#endif
