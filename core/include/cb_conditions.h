/* The atmosphere and the specimen of a campaign, as ISO 139 and ISO/IEC 17025 want them recorded. */
#ifndef CB_CONDITIONS_H
#define CB_CONDITIONS_H

#include <stdbool.h>

typedef enum cb_atmosphere { CB_ISO139_STANDARD, CB_ISO139_ALTERNATIVE, CB_ATMOSPHERE_NONE } cb_atmosphere;
extern const char *const cb_atmosphere_names[]; /* "iso139-standard", "iso139-alternative", "none", NULL */
typedef enum cb_side { CB_SIDE_FACE, CB_SIDE_BACK } cb_side;
extern const char *const cb_side_names[]; /* "face", "back", NULL */

/* A text is "" where it was not recorded. */
typedef struct cb_conditions {
  double temperature_degC, humidity_percent; /* of the air at the bench; NAN: not recorded */
  int atmosphere;                            /* intended cb_atmosphere; -1: not recorded */
  double conditioning_h;                     /* time of the specimens in that atmosphere; NAN: not recorded */
  char cloth_lot[64];
  int cloth_side;          /* cb_side that slides; -1: not recorded */
  char body_specimen[64];  /* which piece of the body material */
  double specimen_area_m2; /* of the cloth specimen; NAN: not recorded */
  char wash_state[64];
  char note[256];
} cb_conditions;

/* Returns conditions of which nothing was recorded. */
cb_conditions cb_conditions_unknown(void);

/* Returns true if a recorded value lies outside the intended atmosphere, and writes a sentence to out: "24
 * degC is outside 20.0 +- 2.0 degC (ISO 139 standard atmosphere)". Returns false, with out empty, if none
 * does, or none is known. ISO 139:2005: 20.0 +- 2.0 degC and 65.0 +- 4.0 % relative humidity; alternative
 * 23.0 +- 2.0 degC and 50.0 +- 4.0 % (standards.iteh.ai, ISO 139:2005, "Key topics"). */
bool cb_conditions_outside(const cb_conditions *c, char out[200]);

#endif
