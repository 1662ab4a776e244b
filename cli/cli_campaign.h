/* One campaign on stdout. */
#ifndef CLI_CAMPAIGN_H
#define CLI_CAMPAIGN_H

#include "lab_campaign.h"

/* Prints conditions, specimen and runs. */
void cli_campaign_print(const lab_campaign *c);

#endif
