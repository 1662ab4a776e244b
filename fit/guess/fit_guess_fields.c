#include "fit_guess_fields.h"

#define LENGTH(list) (sizeof list / sizeof list[0])

#define CLOTH_WORDS \
  "cloth|fabric|material|textile|stoff|gewebe|flaechengebilde|sample|article|artikel|qualitaet|muster"
#define SPECIMEN_WORDS \
  "specimen|probe|specimen no|specimen number|sample|sample no|pruefling|probe nr|probennummer|nr|no|id"
#define DIRECTION_WORDS \
  "direction|angle|orientation|richtung|winkel|cut|test direction|pruefrichtung|angle to warp"
#define REPEAT_WORDS "repeat|repetition|replicate|wiederholung|run|trial|lauf"
#define AREAL_WORDS                                                                                         \
  "areal mass|areal density|mass per area|mass per unit area|area weight|areal weight|weight|gsm|grammage|" \
  "flaechengewicht|flaechenmasse|flaechenbezogene masse|w"
#define THICKNESS_WORDS "thickness|dicke|t"
#define TIME_WORDS "time|zeit|elapsed time|t"
#define WIDTH_WORDS "width|specimen width|strip width|sample width|breite|probenbreite|streifenbreite|b"

#define TEST_FIELDS                                                                                         \
  {"material", CB_DIM_NONE, CLOTH_WORDS, 0, NULL, "name of the cloth", "guess", NULL},                      \
      {"specimen", CB_DIM_NONE, SPECIMEN_WORDS, 0, NULL, NULL, NULL, NULL},                                 \
      {"direction", CB_DIM_ANGLE, DIRECTION_WORDS, 0, "deg", NULL, NULL, NULL},                             \
      {"repeat", CB_DIM_COUNT, REPEAT_WORDS, 0, NULL, NULL, NULL, NULL},                                    \
      {"layers", CB_DIM_COUNT, "layers|number of layers|lagen|lagenzahl|plies", 0, NULL, NULL, NULL, NULL}, \
      {"areal_density", CB_DIM_AREAL_DENSITY, AREAL_WORDS, 0, NULL, NULL, NULL, NULL}, {                    \
    "temperature", CB_DIM_TEMPERATURE, "temperature|temperatur", 0, "degC", NULL, NULL, NULL                \
  }

static const guess_field permeability[] = {
    TEST_FIELDS,
    {"pressure", CB_DIM_PRESSURE,
     "pressure|pressure drop|pressure difference|differential pressure|delta "
     "p|dp|p|druck|differenzdruck|druckdifferenz|"
     "pruefdruck",
     'x', NULL, NULL, NULL, NULL},
    {"velocity", CB_DIM_SPEED,
     "air permeability|permeability|face "
     "velocity|velocity|r|v|luftdurchlaessigkeit|durchlaessigkeit|geschwindigkeit",
     'y', NULL, NULL, NULL, NULL},
    {"flow", CB_DIM_FLOW, "flow|air flow|volume flow|flow rate|qv|q|volumenstrom|durchfluss|luftstrom", 'y',
     NULL, NULL, NULL, NULL},
    {"area", CB_DIM_AREA, "area|test area|measuring area|a|flaeche|pruefflaeche|messflaeche", 0, NULL,
     "area of the flow", "20", "flow"},
};

static const guess_field stretch[] = {
    TEST_FIELDS,
    {"displacement", CB_DIM_LENGTH,
     "extension|elongation|displacement|crosshead|travel|standard "
     "travel|stroke|weg|traversenweg|standardweg|dehnung|"
     "verlaengerung|auszug",
     'x', NULL, NULL, NULL, NULL},
    {"clamp_distance", CB_DIM_LENGTH,
     "clamp distance|grip distance|jaw distance|klemmenabstand|einspannabstand", 'x', NULL, NULL, NULL, NULL},
    {"strain", CB_DIM_RATIO, "strain|tensile strain|elongation|extension|dehnung|eps|epsilon", 'x', NULL,
     NULL, NULL, NULL},
    {"force", CB_DIM_FORCE, "force|standard force|load|tensile force|f|kraft|zugkraft|standardkraft|last",
     'y', NULL, NULL, NULL, NULL},
    {"force_per_width", CB_DIM_STIFFNESS,
     "force per width|force|load|tension|kraft pro breite|kraft|tensile stress|stress", 'y', NULL, NULL, NULL,
     NULL},
    {"length", CB_DIM_LENGTH,
     "gauge length|gage length|grip separation|length|initial "
     "length|l0|einspannlaenge|messlaenge|ausgangslaenge",
     0, "mm", "gauge length", "100", "displacement|strain"},
    {"width", CB_DIM_LENGTH, WIDTH_WORDS, 0, "mm", "width of the strip", "50", NULL},
};

static const guess_field cantilever[] = {
    TEST_FIELDS,
    {"overhang", CB_DIM_LENGTH,
     "overhang|overhang length|overhanging length|ueberhang|ueberhanglaenge|projecting length", 'x', NULL,
     NULL, NULL, NULL},
    {"chord_angle", CB_DIM_ANGLE,
     "chord angle|angle of the plane|plane angle|slope|inclination|neigung|neigungswinkel|ebene", 0, "deg",
     "angle of the line from the edge to the tip: 41.5 on the apparatus of ISO 9073-7", "41.5", NULL},
    {"width", CB_DIM_LENGTH, WIDTH_WORDS, 0, NULL, NULL, NULL, NULL},
    {"side", CB_DIM_NONE, "side|face|seite", 0, NULL, NULL, NULL, NULL},
};

static const guess_field moment[] = {
    TEST_FIELDS,
    {"curvature", CB_DIM_CURVATURE, "curvature|k|kappa|kruemmung", 'x', NULL, NULL, NULL, NULL},
    {"moment_per_width", CB_DIM_FORCE,
     "moment per width|bending moment|moment|m|biegemoment|moment pro breite", 'y', NULL, NULL, NULL, NULL},
    {"width", CB_DIM_LENGTH, WIDTH_WORDS, 0, NULL, NULL, NULL, NULL},
};

static const guess_field shear[] = {
    TEST_FIELDS,
    {"shear_angle", CB_DIM_ANGLE, "shear angle|angle|phi|gamma|scherwinkel|winkel", 'x', "deg", NULL, NULL,
     NULL},
    {"force_per_width", CB_DIM_STIFFNESS,
     "shear force|force per width|shear stress|force|fs|scherkraft|schubkraft", 'y', NULL, NULL, NULL, NULL},
    {"force", CB_DIM_FORCE, "shear force|force|f|scherkraft|schubkraft|kraft", 'y', NULL, NULL, NULL, NULL},
    {"width", CB_DIM_LENGTH, WIDTH_WORDS, 0, "mm", "width of the sheared strip", "200", "force"},
};

static const guess_field compression[] = {
    TEST_FIELDS,
    {"pressure", CB_DIM_PRESSURE, "pressure|compressive pressure|compressive stress|p|druck|pruefdruck", 'x',
     NULL, NULL, NULL, NULL},
    {"force", CB_DIM_FORCE, "force|compressive force|load|f|kraft|druckkraft", 'x', NULL, NULL, NULL, NULL},
    {"thickness", CB_DIM_LENGTH, "thickness|gap|dicke|abstand", 'y', NULL, NULL, NULL, NULL},
    {"area", CB_DIM_AREA, "area|plunger area|foot area|a|flaeche|stempelflaeche", 0, "cm2",
     "area of the plunger", "2", "force"},
};

#define BODY_WORDS                                                                                          \
  "body|substrate|counterface|surface|on|against|foundation|unterlage|gegenkoerper|reibpartner|plate|sole|" \
  "board|base|platte"
#define LOAD_WORDS "normal force|normal load|load|n|fn|normalkraft|auflast|belastung"
#define SLED_WORDS "mass|sled mass|weight|added mass|masse|gewicht|schlittenmasse|load"

static const guess_field friction[] = {
    {"cloth", CB_DIM_NONE, CLOTH_WORDS "|specimen|probe", 0, NULL, "name of the cloth", "guess", NULL},
    {"body", CB_DIM_NONE, BODY_WORDS, 0, NULL, "name of the body, or of the other cloth", "guess too", NULL},
    {"direction", CB_DIM_ANGLE, DIRECTION_WORDS, 0, "deg", NULL, NULL, NULL},
    {"normal_force", CB_DIM_FORCE, LOAD_WORDS, 'x', NULL, NULL, NULL, NULL},
    {"mass", CB_DIM_MASS, SLED_WORDS, 'x', NULL, NULL, NULL, NULL},
    {"force", CB_DIM_FORCE,
     "!static|!haft|!peak|!cof|!coefficient|friction force|kinetic force|kinetic friction force|dynamic "
     "force|fk|fd|ff|reibkraft|reibungskraft|gleitreibungskraft|"
     "gleitkraft|pull force|force",
     'y', NULL, NULL, NULL, NULL},
    {"friction_coefficient", CB_DIM_RATIO,
     "!static|!haft|mu|cof|friction coefficient|coefficient of friction|kinetic coefficient|kinetic "
     "coefficient of "
     "friction|kinetic mu|"
     "dynamic coefficient|dynamic coefficient of friction|mu k|muk|mu d|mu kinetic|mu dynamic|kinetic "
     "cof|reibungszahl|"
     "reibzahl|reibungskoeffizient|gleitreibungszahl|reibbeiwert|gleitreibungskoeffizient",
     'y', "1", NULL, NULL, NULL},
    {"static_force", CB_DIM_FORCE,
     "!kinetic|!dynamic|!gleit|!cof|!coefficient|!mu|static force|static friction force|peak "
     "force|fs|haftreibungskraft|haftkraft|losbrechkraft",
     'y', NULL, NULL, NULL, NULL},
    {"static_coefficient", CB_DIM_RATIO,
     "!kinetic|!dynamic|!gleit|mu s|mus|mu static|cof static|static cof|static mu|static coefficient|static "
     "coefficient of "
     "friction|haftreibungszahl|"
     "haftreibungskoeffizient",
     'y', "1", NULL, NULL, NULL},
    {"repeat", CB_DIM_COUNT, REPEAT_WORDS, 0, NULL, NULL, NULL, NULL},
    {"area", CB_DIM_AREA, "area|contact area|sled area|flaeche|kontaktflaeche", 0, NULL, NULL, NULL, NULL},
    {"speed", CB_DIM_SPEED, "speed|velocity|sliding speed|test speed|geschwindigkeit|pruefgeschwindigkeit", 0,
     NULL, NULL, NULL, NULL},
};

static const guess_field trace[] = {
    {"time", CB_DIM_TIME, TIME_WORDS, 'x', "s", NULL, NULL, NULL},
    {"position", CB_DIM_LENGTH, "position|displacement|distance|x|stage|travel|weg|stroke|schlittenweg", 'z',
     NULL, NULL, NULL, NULL},
    {"force", CB_DIM_FORCE, "force|pull force|friction force|f|kraft|reibkraft|zugkraft|load cell", 'y', NULL,
     NULL, NULL, NULL},
    {"cloth", CB_DIM_NONE, CLOTH_WORDS, 0, NULL, "name of the cloth", "guess", NULL},
    {"body", CB_DIM_NONE, BODY_WORDS, 0, NULL, "name of the body", "guess too", NULL},
    {"angle", CB_DIM_ANGLE, DIRECTION_WORDS, 0, "deg", NULL, NULL, NULL},
    {"normal_force", CB_DIM_FORCE, LOAD_WORDS, 0, NULL, NULL, NULL, NULL},
    {"mass", CB_DIM_MASS, SLED_WORDS, 0, "g", "mass on the cloth", "100", NULL},
    {"area", CB_DIM_AREA, "area|contact area|sled area|flaeche|kontaktflaeche", 0, NULL, NULL, NULL, NULL},
};

static const guess_field release[] = {
    {"cloth", CB_DIM_NONE, CLOTH_WORDS "|specimen|probe", 0, NULL, "name of the cloth", "guess", NULL},
    {"body", CB_DIM_NONE, BODY_WORDS, 0, NULL, "name of the body", "guess too", NULL},
    {"release_angle", CB_DIM_ANGLE,
     "release angle|angle of release|slip angle|angle of repose|critical "
     "angle|loesewinkel|gleitwinkel|rutschwinkel|"
     "abrutschwinkel",
     'x', "deg", NULL, NULL, NULL},
    {"direction", CB_DIM_ANGLE, "direction|orientation|richtung|cut|angle", 0, "deg", NULL, NULL, NULL},
    {"mass", CB_DIM_MASS, SLED_WORDS, 0, "g", "mass of what slides", "100", NULL},
    {"area", CB_DIM_AREA, "area|contact area|sled area|flaeche|kontaktflaeche", 0, NULL, NULL, NULL, NULL},
    {"repeat", CB_DIM_COUNT, REPEAT_WORDS, 0, NULL, NULL, NULL, NULL},
};

static const guess_field incline[] = {
    {"cloth", CB_DIM_NONE, CLOTH_WORDS "|specimen|probe", 0, NULL, "name of the cloth", "guess", NULL},
    {"body", CB_DIM_NONE, BODY_WORDS, 0, NULL, "name of the body", "guess too", NULL},
    {"incline", CB_DIM_ANGLE,
     "incline|inclination|slope|slope angle|incline angle|neigung|neigungswinkel|steigung", 'x', "deg", NULL,
     NULL, NULL},
    {"direction", CB_DIM_ANGLE, "direction|orientation|richtung|cut|angle", 0, "deg", NULL, NULL, NULL},
    {"mass", CB_DIM_MASS, SLED_WORDS, 0, "g", "mass of what slides", "100", NULL},
    {"area", CB_DIM_AREA, "area|contact area|sled area|flaeche|kontaktflaeche", 0, NULL, NULL, NULL, NULL},
    {"repeat", CB_DIM_COUNT, REPEAT_WORDS, 0, NULL, NULL, NULL, NULL},
    {"acceleration", CB_DIM_ACCELERATION, "acceleration|mean acceleration|a|beschleunigung", 'y', NULL, NULL,
     NULL, NULL},
    {"time", CB_DIM_TIME, TIME_WORDS, 0, "s", NULL, NULL, NULL},
    {"distance", CB_DIM_LENGTH, "distance|position|displacement|way|weg|strecke|s", 'y', NULL, NULL, NULL,
     NULL},
};

/* Every phrase has the figure first or last, as in "EM warp", "Warp EM", "EM1". */
#define OF_WARP(figure) figure " warp|warp " figure "|" figure "1|" figure " 1|" figure " kette|kette " figure
#define OF_WEFT(figure) \
  figure " weft|weft " figure "|" figure "2|" figure " 2|" figure " schuss|schuss " figure

static const guess_field kes[] = {
    {"material", CB_DIM_NONE, CLOTH_WORDS "|specimen|probe|name|code|no|nr", 'm', NULL, NULL, NULL, NULL},
    {"composition", CB_DIM_NONE, "composition|fibre|fiber|zusammensetzung|faser", 0, NULL, NULL, NULL, NULL},
    {"weave", CB_DIM_NONE, "weave|structure|bindung|konstruktion", 0, NULL, NULL, NULL, NULL},
    {"areal_density", CB_DIM_AREAL_DENSITY, AREAL_WORDS, 0, NULL, NULL, NULL, NULL},
    {"thickness", CB_DIM_LENGTH, THICKNESS_WORDS, 0, "mm", NULL, NULL, NULL},
    {"em_warp", CB_DIM_RATIO, OF_WARP("em"), 'k', "%", NULL, NULL, NULL},
    {"em_weft", CB_DIM_RATIO, OF_WEFT("em"), 'k', "%", NULL, NULL, NULL},
    {"lt_warp", CB_DIM_RATIO, OF_WARP("lt"), 'k', "1", NULL, NULL, NULL},
    {"lt_weft", CB_DIM_RATIO, OF_WEFT("lt"), 'k', "1", NULL, NULL, NULL},
    {"rt_warp", CB_DIM_RATIO, OF_WARP("rt"), 'k', "%", NULL, NULL, NULL},
    {"rt_weft", CB_DIM_RATIO, OF_WEFT("rt"), 'k', "%", NULL, NULL, NULL},
    {"shear", CB_DIM_STIFFNESS, "g|shear|shear stiffness|shear rigidity|schersteifigkeit", 'k', NULL, NULL,
     NULL, NULL},
    {"bending_warp", CB_DIM_RIGIDITY, OF_WARP("b") "|" OF_WARP("bending") "|" OF_WARP("bending rigidity"),
     'k', NULL, NULL, NULL, NULL},
    {"bending_weft", CB_DIM_RIGIDITY, OF_WEFT("b") "|" OF_WEFT("bending") "|" OF_WEFT("bending rigidity"),
     'k', NULL, NULL, NULL, NULL},
    {"hysteresis_warp", CB_DIM_FORCE, OF_WARP("2hb"), 'k', NULL, NULL, NULL, NULL},
    {"hysteresis_weft", CB_DIM_FORCE, OF_WEFT("2hb"), 'k', NULL, NULL, NULL, NULL},
    {"wt_warp", CB_DIM_STIFFNESS, OF_WARP("wt"), 'k', NULL, NULL, NULL, NULL},
    {"wt_weft", CB_DIM_STIFFNESS, OF_WEFT("wt"), 'k', NULL, NULL, NULL, NULL},
    {"shear_hysteresis", CB_DIM_STIFFNESS, "2hg|shear hysteresis", 'k', NULL, NULL, NULL, NULL},
    {"shear_hysteresis_5", CB_DIM_STIFFNESS, "2hg5", 'k', NULL, NULL, NULL, NULL},
    {"miu", CB_DIM_RATIO, "miu", 'k', "1", NULL, NULL, NULL},
    {"mmd", CB_DIM_RATIO, "mmd", 'k', "1", NULL, NULL, NULL},
    {"smd", CB_DIM_LENGTH, "smd", 'k', "um", NULL, NULL, NULL},
    {"t0", CB_DIM_LENGTH, "t0|to", 'k', "mm", NULL, NULL, NULL},
    {"tm", CB_DIM_LENGTH, "tm", 'k', "mm", NULL, NULL, NULL},
    {"lc", CB_DIM_RATIO, "lc", 'k', "1", NULL, NULL, NULL},
    {"wc", CB_DIM_STIFFNESS, "wc", 'k', NULL, NULL, NULL, NULL},
    {"rc", CB_DIM_RATIO, "rc", 'k', "%", NULL, NULL, NULL},
    {"drape_coefficient", CB_DIM_RATIO, "drape coefficient|dc|drape|fallkoeffizient|drapekoeffizient", 0, "1",
     NULL, NULL, NULL},
    {"support", CB_DIM_LENGTH, "support|support diameter|pedestal", 0, "cm", "diameter of the support", "18",
     "drape_coefficient"},
    {"specimen", CB_DIM_LENGTH, "specimen diameter|sample diameter", 0, "cm", "diameter of the specimen",
     "30", "drape_coefficient"},
};

const guess_kind guess_kinds[] = {
    {"friction", "xy", friction, LENGTH(friction)},
    {"release", "x", release, LENGTH(release)},
    {"incline", "xy", incline, LENGTH(incline)},
    {"trace", "xyz", trace, LENGTH(trace)},
    {"permeability", "xy", permeability, LENGTH(permeability)},
    {"stretch", "xy", stretch, LENGTH(stretch)},
    {"cantilever", "x", cantilever, LENGTH(cantilever)},
    {"bending-moment", "xy", moment, LENGTH(moment)},
    {"shear", "xy", shear, LENGTH(shear)},
    {"compression", "xy", compression, LENGTH(compression)},
    {"kes", "mk", kes, LENGTH(kes)},
};
const size_t guess_n_kinds = LENGTH(guess_kinds);
