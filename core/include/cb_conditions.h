/* In which air and on which specimen a campaign was measured: what ISO 139 and ISO/IEC 17025 want to be written down. */
#ifndef CB_CONDITIONS_H
#define CB_CONDITIONS_H

#include <stdbool.h>

typedef enum cb_atmosphere { CB_ISO139_STANDARD, CB_ISO139_ALTERNATIVE, CB_ATMOSPHERE_NONE } cb_atmosphere;
extern const char *const cb_atmosphere_names[]; /* "iso139-standard", "iso139-alternative", "none", NULL */
typedef enum cb_side { CB_SIDE_FACE, CB_SIDE_BACK } cb_side;
extern const char *const cb_side_names[]; /* "face", "back", NULL */

typedef struct cb_conditions {
  double temperature_degC, humidity_percent; /* of the air at the bench; NAN: not recorded */
  int atmosphere;                            /* cb_atmosphere that was aimed at; -1: not recorded */
  double conditioning_h;                     /* the specimens hung in it before; NAN: not recorded */
  char cloth_lot[64];                        /* texts: "" = not recorded */
  int cloth_side;                            /* cb_side that is rubbed; -1: not recorded */
  char body_specimen[64];                    /* which piece of the body material */
  double specimen_area_m2;                   /* of the cloth specimen; NAN: not recorded */
  char wash_state[64];
  char note[256];
} cb_conditions;

cb_conditions cb_conditions_unknown(void);

/* Says what lies outside the atmosphere that was aimed at: "24 degC is outside 20.0 +- 2.0 degC (ISO 139 standard atmosphere)".
 * ISO 139:2005: 20.0 +- 2.0 degC with 65.0 +- 4.0 %, alternative 23.0 +- 2.0 degC with 50.0 +- 4.0 % relative humidity
 * (standards.iteh.ai, ISO 139:2005, "Key topics"). False, and out empty: nothing does, or it is not known. */
bool cb_conditions_outside(const cb_conditions *c, char out[200]);

#endif
