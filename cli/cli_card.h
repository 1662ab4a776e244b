/* The card of a material, for people. */
#ifndef CLI_CARD_H
#define CLI_CARD_H

#include "lab_card.h"

void cli_card_print(const exch_material *m, const lab_card *card, FILE *to);

#endif
