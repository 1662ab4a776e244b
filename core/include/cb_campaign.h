/* A campaign: a plan, its cloth-body pair, its conditions. */
#ifndef CB_CAMPAIGN_H
#define CB_CAMPAIGN_H

#include <stdint.h>

#include "cb_origin.h"

typedef enum cb_campaign_kind {
  CB_CAMPAIGN_FRICTION,
  CB_CAMPAIGN_SLIDE,
  CB_CAMPAIGN_IMPORT,
  CB_CAMPAIGN_LOOK /* one run of that kind */
} cb_campaign_kind;
extern const char *const cb_campaign_kind_names[]; /* "friction", "slide", "import", "look", NULL */

typedef struct cb_campaign {
  int64_t id;
  char uuid[37];
  char name[64];
  cb_campaign_kind kind;
  int64_t cloth_id, body_id, rig_id; /* import: all 0 where a file holds several pairs */
  char *plan_text; /* the campaign or mapping file as read; NULL in lists; owned by whoever fills the struct
                      to store it */
  char operator_name[64];
  double temperature_degC, humidity_percent; /* NAN: not recorded */
  cb_origin origin;
  char created_at[32], finished_at[32]; /* finished_at: "" while unfinished */
} cb_campaign;

#endif
