/* The operator of the virtual bench, who turns the cloth and puts weights on the cart: one line in, the
 * answer out.
 *
 *   sample angle_deg=45        turns the cloth on the bed
 *   body angle_deg=45          turns the cloth on the cart's body
 *   cart added_mass_kg=0.1     changes the weight on the cart
 *   weight mass_kg=0.1         hangs a conventional mass on the load cell
 *   truth                      reports the truth inside, at 10 mm/s and without scatter
 *   truth direction=-1         reports that of a backward pull
 *
 * After the first three the cart stands where the link is slack and centred. The answer is "ok\n" or "error:
 * sentence\n". `truth` answers "truth kinetic_N=... static_N=..." on a line before the ok. */
#ifndef VRIG_OPERATOR_H
#define VRIG_OPERATOR_H

#include "vrig_bench.h"

#define VRIG_OPERATOR_ANSWER_MAX 640

/* Executes a line (without its end) and writes the answer. */
void vrig_operator_line(vrig_bench *b, const char *line, char answer[VRIG_OPERATOR_ANSWER_MAX]);

#endif
