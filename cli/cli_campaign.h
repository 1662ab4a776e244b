/* One campaign in words. */
#ifndef CLI_CAMPAIGN_H
#define CLI_CAMPAIGN_H

#include "lab_campaign.h"

/* Its conditions, specimen and runs, on stdout. */
void cli_campaign_print(const lab_campaign *c);

#endif
