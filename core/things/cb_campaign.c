#include "cb_campaign.h"

#include <stddef.h>

const char *const cb_campaign_kind_names[] = {"friction", "slide", "import", "look", NULL};
