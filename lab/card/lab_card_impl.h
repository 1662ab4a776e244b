/* The card as CSV, private to lab/. */
#ifndef LAB_CARD_IMPL_H
#define LAB_CARD_IMPL_H

#include "lab_card.h"

/* Writes a row per property: property, conditions, value, u, unit, dof, n, origin, source, date,
 * calibration. The caller checks the stream for errors. */
void lab_card_csv(const exch_material *m, const lab_card *card, FILE *to);

#endif
