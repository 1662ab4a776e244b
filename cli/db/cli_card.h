/* The card of a material as text. */
#ifndef CLI_CARD_H
#define CLI_CARD_H

#include "lab_card.h"

/* Prints the card to a stream. */
void cli_card_print(const exch_material *m, const lab_card *card, FILE *to);

#endif
