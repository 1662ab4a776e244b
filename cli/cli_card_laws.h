/* The properties that the laws of one material give - permeability, stretch, bending - and its measured drapes. */
#ifndef CLI_CARD_LAWS_H
#define CLI_CARD_LAWS_H

#include "cli_card.h"

CB_CHECKED cb_status cli_card_laws(cb_store *s, const exch_material *m, cli_card *card, cb_err *err);
CB_CHECKED cb_status cli_card_drapes(cb_store *s, const cb_material *m, cli_card *card, cb_err *err);

#endif
