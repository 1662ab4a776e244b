/* The parts of a card, one file for each kind of law; private to lab/. */
#ifndef LAB_CARD_PARTS_H
#define LAB_CARD_PARTS_H

#include "lab_card.h"

/* Starts a new section at the end. *out is valid until the next one. */
CB_CHECKED cb_status lab_card_begin(lab_card *card, cb_origin origin, const char *date, lab_section **out,
                                    cb_err *err);
/* Adds a property to the last section, unless p.value is NAN. conditions is a printf format. Without memory
 * it sets card->full, which lab_card_make reports. */
void lab_card_add(lab_card *card, const char *name, lab_property p, const char *conditions, ...)
    CB_PRINTF(4, 5);

/* Adds a sentence to what a section says; nothing where it is "". */
void lab_card_say(lab_section *out, const char *words);

/* Returns how many pieces of cloth were tested in a direction, any where angle_deg is NAN. A test that does
 * not name its piece counts as one of its own. */
typedef struct lab_pieces {
  size_t pieces, tests;
} lab_pieces;
lab_pieces lab_card_pieces(const cb_material_test *t, size_t n, double angle_deg);
/* p: a figure whose u is that of a mean over the tests. Of several pieces, their number counts in place of
 * that of the tests. To a figure of one piece it joins what is assumed of the scatter between pieces. */
void lab_card_widen(lab_property *p, lab_pieces of);
/* Adds which directions stand on one piece to what a section says. */
void lab_card_say_pieces(const cb_material_test *t, size_t n, lab_section *s);

/* Adds the laws of permeability, stretch, bending and elasticity. */
CB_CHECKED cb_status lab_card_laws(cb_store *s, const exch_material *m, lab_card *card, cb_err *err);
/* Adds mean and scatter of the drapes that were measured alike. */
CB_CHECKED cb_status lab_card_drapes(cb_store *s, const cb_material *m, lab_card *card, cb_err *err);
/* Adds the figures of shear and compression tests, mean and scatter of those in one direction. */
CB_CHECKED cb_status lab_card_curves(cb_store *s, const cb_material *m, lab_card *card, cb_err *err);
/* Adds the figures that somebody stated; the card then owns their list. */
CB_CHECKED cb_status lab_card_figures(cb_store *s, const cb_material *m, lab_card *card, cb_err *err);
/* The newest verdict of every experiment, and of every partner. */
CB_CHECKED cb_status lab_card_verdicts(cb_store *s, const cb_material *m, lab_card *card, cb_err *err);

/* Writes a row per property: property, conditions, value, u, unit, dof, n, origin, source, date,
 * calibration. The caller checks the stream for errors. */
void lab_card_csv(const exch_material *m, const lab_card *card, FILE *to);

#endif
