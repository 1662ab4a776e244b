/* What the files share that put a card together, one for each kind of law. */
#ifndef LAB_CARD_PARTS_H
#define LAB_CARD_PARTS_H

#include "lab_card.h"

/* A new section, the last one; *out is good until the next. */
CB_CHECKED cb_status lab_card_begin(lab_card *card, cb_origin origin, const char *date, lab_section **out,
                                    cb_err *err);
/* A property of the last section; none where p.value is NAN. Sets card->full without memory: lab_card_make
 * reports it. */
void lab_card_add(lab_card *card, const char *name, lab_property p, const char *conditions, ...)
    CB_PRINTF(4, 5);

/* Permeability, stretch, bending, elasticity. */
CB_CHECKED cb_status lab_card_laws(cb_store *s, const exch_material *m, lab_card *card, cb_err *err);
/* Mean and scatter of the drapes that were measured alike. */
CB_CHECKED cb_status lab_card_drapes(cb_store *s, const cb_material *m, lab_card *card, cb_err *err);
/* The newest verdict of every experiment, and of every partner. */
CB_CHECKED cb_status lab_card_verdicts(cb_store *s, const cb_material *m, lab_card *card, cb_err *err);

#endif
