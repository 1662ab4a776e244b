#include "fit_guess_fields.h"

#define LENGTH(list) (sizeof list / sizeof list[0])

#define CLOTH_FAR "面料|织物|布料|试样名称|样品名称|品名|名称|样品|面料名称|织物名称|材料"
#define CLOTH_WORDS                                                                                     \
  "cloth|fabric|material|textile|stoff|gewebe|flaechengebilde|sample|article|artikel|qualitaet|muster|" \
  "fabric name|fabric id|sample name|sample id|cloth "                                                  \
  "name|style|artikelnummer|stoffname|stoffbezeichnung|" CLOTH_FAR
#define SPECIMEN_WORDS                                                           \
  "specimen|probe|specimen no|specimen number|sample|sample no|pruefling|probe " \
  "nr|probennummer|nr|no|id|specimen label|specimen id|test "                    \
  "no|test|#|pruefkoerper|试样|试样编号|样品编号|编号|序号|lfd nr"
#define DIRECTION_WORDS                                                                               \
  "direction|=angle|orientation|richtung|=winkel|cut|test direction|pruefrichtung|angle to warp|cut " \
  "angle|fabric angle|yarn angle|winkel zur kette|winkel zur "                                        \
  "kettrichtung|schnittwinkel|fadenwinkel|orientation of specimen|fabric "                            \
  "direction|grain|grainline|pruefrichtung|materialrichtung|fadenrichtung|方向|试样方向|测试方向"
#define REPEAT_WORDS \
  "repeat|repetition|replicate|wiederholung|run|trial|lauf|replication|messung|测试次数|次数|重复"
#define AREAL_WORDS                                                                                         \
  "areal mass|areal density|mass per area|mass per unit area|area weight|areal "                            \
  "weight|weight|gsm|grammage|flaechengewicht|flaechenmasse|flaechenbezogene masse|w|basis weight|g sm|m2 " \
  "gewicht|gewicht pro flaeche|克重|面密度|单位面积质量|平方米克重"
#define THICKNESS_WORDS "thickness|dicke|t|fabric thickness|stoffdicke|厚度"
#define TIME_WORDS "time|zeit|elapsed time|t|test time|pruefzeit|messzeit|elapsed|时间|时刻"
#define WIDTH_WORDS                          \
  "width|specimen width|strip width|sample " \
  "width|breite|probenbreite|streifenbreite|b|probenbreite|宽度|试样宽度|有效宽度"
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
     "pressure|pressure drop|pressure difference|pressure differential|differential pressure|test "
     "pressure|delta "
     "p|dp|d "
     "p|p|druck|differenzdruck|druckdifferenz|pruefdruck|unterdruck|压差|压力|测试压差|测试压力|试样压差",
     'x', "Pa",
     "pressure difference of the test: 100 Pa in ISO 9237, 125 Pa in ASTM D737; the table states none", "100",
     NULL},
    {"velocity", CB_DIM_SPEED,
     "air permeability|permeability to air|air perm|frazier|luftdurchlaessigkeit|透气率|透气量|透气性", 'y',
     NULL, NULL, NULL, NULL, true},
    {"velocity", CB_DIM_SPEED,
     "permeability|face velocity|velocity|r|v|durchlaessigkeit|geschwindigkeit|流速", 'y', NULL, NULL, NULL,
     NULL},
    {"flow", CB_DIM_FLOW,
     "flow|air flow|volume flow|flow rate|qv|q|volumenstrom|durchfluss|luftstrom|流量|air permeability|"
     "luftdurchlaessigkeit",
     'y', NULL, NULL, NULL, NULL},
    {"area", CB_DIM_AREA,
     "area|test area|measuring area|orifice|a|flaeche|pruefflaeche|messflaeche|测试面积|面积", 0, NULL,
     "area of the flow", "20", "flow"},
};

static const guess_field stretch[] = {
    TEST_FIELDS,
    {"displacement", CB_DIM_LENGTH,
     "extension|elongation|displacement|crosshead|travel|standard "
     "travel|stroke|tensile "
     "extension|position|ext|x|s|weg|traversenweg|traverse|querhaupt|standardweg|dehnung|verformung|"
     "verlaengerung|auszug|位移|伸长|伸长量|变形",
     'x', NULL, NULL, NULL, NULL},
    {"clamp_distance", CB_DIM_LENGTH,
     "clamp distance|grip distance|jaw distance|klemmenabstand|einspannabstand|夹距", 'x', NULL, NULL, NULL,
     NULL},
    {"strain", CB_DIM_RATIO,
     "strain|tensile strain|elongation|extension|dehnung|eps|epsilon|应变|伸长率|伸长", 'x', NULL, NULL, NULL,
     NULL},
    {"force", CB_DIM_FORCE,
     "force|standard force|load|tensile force|tensile "
     "load|reading|f|kraft|zugkraft|standardkraft|last|pruefkraft|力|力值|载荷|负荷|拉力|强力",
     'y', NULL, NULL, NULL, NULL},
    {"force_per_width", CB_DIM_STIFFNESS,
     "force per width|force|load|tension|kraft pro breite|kraft|tensile stress|stress", 'y', NULL, NULL, NULL,
     NULL},
    {"length", CB_DIM_LENGTH,
     "gauge length|gage length|grip separation|length|initial "
     "length|l0|start position|nominal gauge length|einspannlaenge|messlaenge|ausgangslaenge|freie "
     "einspannlaenge|夹持长度|隔距|标距|夹距|"
     "初始长度",
     0, "mm", "gauge length", "100", "displacement|strain"},
    {"width", CB_DIM_LENGTH, WIDTH_WORDS, 0, "mm", "width of the strip", "50", NULL},
};

static const guess_field cantilever[] = {
    TEST_FIELDS,
    {"overhang", CB_DIM_LENGTH,
     "overhang|overhang length|overhanging length|length of overhang|ueberhang|ueberhanglaenge|projecting "
     "length|"
     "伸出长度|滑出长度",
     'x', NULL, NULL, NULL, NULL},
    {"bending_length", CB_DIM_LENGTH, "bending length|flexural length|biegelaenge|弯曲长度|抗弯长度", 'x',
     NULL, NULL, NULL, NULL},
    {"flexural_rigidity", CB_DIM_RIGIDITY,
     "flexural rigidity|bending rigidity|bending stiffness|biegesteifigkeit|biegesteifheit|flexural "
     "stiffness|"
     "弯曲刚度|抗弯刚度|弯曲刚性",
     'x', NULL, NULL, NULL, NULL},
    {"chord_angle", CB_DIM_ANGLE,
     "chord angle|angle of the plane|plane angle|slope|inclination|neigung|neigungswinkel|ebene|bending "
     "angle|biegewinkel|=angle|=winkel",
     0, "deg", "angle of the line from the edge to the tip: 41.5 on the apparatus of ISO 9073-7", "41.5",
     "overhang"},
    {"width", CB_DIM_LENGTH, WIDTH_WORDS, 0, NULL, NULL, NULL, NULL},
    {"side", CB_DIM_NONE, "side|face|seite", 0, NULL, NULL, NULL, NULL},
};

static const guess_field moment[] = {
    TEST_FIELDS,
    {"curvature", CB_DIM_CURVATURE, "curvature|k|kappa|kruemmung|曲率", 'x', NULL, NULL, NULL, NULL},
    {"moment_per_width", CB_DIM_FORCE,
     "moment per width|bending moment|moment|m|biegemoment|moment pro breite|弯矩", 'y', NULL, NULL, NULL,
     NULL},
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
    {"thickness", CB_DIM_LENGTH, "thickness|gap|dicke|abstand|厚度", 'y', NULL, NULL, NULL, NULL},
    {"area", CB_DIM_AREA, "area|plunger area|foot area|a|flaeche|stempelflaeche", 0, "cm2",
     "area of the plunger", "2", "force"},
};

#define BODY_FAR "摩擦副|对磨材料|对偶|对偶面|基底|底板|摩擦对象"
#define BODY_WORDS                                                                                          \
  "body|substrate|counterface|surface|on|against|foundation|unterlage|gegenkoerper|reibpartner|plate|sole|" \
  "board|base|platte|friction partner|counter body|counter surface|sled "                                   \
  "material|table|sheet|pruefflaeche|reibflaeche|gegenflaeche|" BODY_FAR
#define LOAD_WORDS                                                                                       \
  "!peak|!avg|!average|!max|!mean|!break|normal force|normal "                                           \
  "load|load|n|fn|normalkraft|auflast|belastung|applied load|applied force|n force|sled force|vertical " \
  "load|auflagekraft|anpresskraft|pruefkraft normal|nominal "                                            \
  "load|fz|法向力|法向载荷|正压力|载荷|负荷|压力载荷|auflagegewicht"
#define SLED_WORDS                                                                                          \
  "mass|sled mass|weight|added mass|masse|gewicht|schlittenmasse|load|sled weight|sled|slider mass|weight " \
  "of sled|total "                                                                                          \
  "mass|schlittengewicht|schlitten|reibklotz|gleitklotz|滑块质量|滑块重量|质量|砝码|auflagegewicht|gewicht"
static const guess_field friction[] = {
    {"cloth", CB_DIM_NONE, CLOTH_WORDS "|~specimen|~probe|~pruefling|~试样|~bezeichnung|=name", 0, NULL,
     "name of the cloth", "guess", NULL},
    {"body", CB_DIM_NONE, BODY_WORDS, 0, NULL, "name of the body, or of the other cloth", "guess too", NULL},
    {"direction", CB_DIM_ANGLE, DIRECTION_WORDS, 0, "deg", NULL, NULL, NULL},
    {"normal_force", CB_DIM_FORCE, LOAD_WORDS, 'x', NULL, NULL, NULL, NULL},
    {"mass", CB_DIM_MASS, SLED_WORDS, 'x', "g", "mass of the sled with its weights; the table states no load",
     "200", NULL},
    {"force", CB_DIM_FORCE,
     "!stat|!haft|!peak|!max|!cof|!coefficient|!normal|!静|!最大|friction force|kinetic force|kinetic "
     "friction "
     "force|dynamic force|average force|mean "
     "force|fk|fd|ff|reibkraft|reibungskraft|gleitreibungskraft|gleitkraft|"
     "avg force|avg load|average load|mean load|pull force|force|摩擦力|动摩擦力|平均摩擦力",
     'y', NULL, NULL, NULL, NULL},
    {"friction_coefficient", CB_DIM_RATIO,
     "!stat|!haft|!sd|!std|!cv|!静|=mu|=my|gleit mu|gleit u|=gleit|reibwert|reibwert "
     "dynamisch|=kinetic|=dynamic|=dynamisch|mu dynamisch|u dynamisch|dynamische "
     "reibung|mu k|muk|mu d|mud|mu g|uk|ud|u k|u d|m k|mk|md "
     "coefficient|cof|kcof|dcof|"
     "cof k|cof d|"
     "friction coefficient|coefficient of friction|kinetic coefficient|kinetic coefficient of "
     "friction|coefficient of "
     "kinetic friction|coefficient of dynamic friction|dynamic coefficient|dynamic coefficient of "
     "friction|dynamic "
     "friction coefficient|kinetic friction coefficient|sliding friction coefficient|coefficient of sliding "
     "friction|"
     "kinetic mu|mu kinetic|mu dynamic|kinetic cof|dynamic cof|cof kinetic|cof dynamic|"
     "kinetic friction|dynamic "
     "friction|reibungszahl|reibzahl|reibungskoeffizient|reibkoeffizient|gleitreibungszahl|"
     "gleitreibzahl|reibbeiwert|gleitreibbeiwert|gleitreibungskoeffizient|gleitreibungsbeiwert|gleitreibung|"
     "dynamische reibungszahl|dynamischer reibungskoeffizient|reibungszahl "
     "dynamisch|摩擦系数|动摩擦系数|动摩擦因数|摩擦因数|"
     "滑动摩擦系数",
     'y', "1", NULL, NULL, NULL, true},
    {"static_force", CB_DIM_FORCE,
     "!kinetic|!dyn|!gleit|!cof|!coefficient|!mu|!mean|!average|!动|static force|static friction force|peak "
     "force|peak load|max load|max force|maximum "
     "force|fs|haftreibungskraft|haftkraft|losbrechkraft|静摩擦力|最大静摩擦力|最大力",
     'y', NULL, NULL, NULL, NULL},
    {"static_coefficient", CB_DIM_RATIO,
     "!kinetic|!dyn|!gleit|!sd|!std|!cv|!动|haft mu|haft u|=haft|haftreibwert|reibwert "
     "statisch|=static|=statisch|mu statisch|u statisch|statische reibung|mu "
     "s|mus|mu h|us|u s|u h|uh|m s|scof|cof s|mu static|cof "
     "static|static cof|"
     "static mu|static "
     "coefficient|static coefficient of friction|coefficient of static friction|static friction "
     "coefficient|static "
     "friction|haftreibungszahl|haftreibzahl|haftreibungskoeffizient|haftreibbeiwert|haftreibungsbeiwert|"
     "haftreibung|"
     "statische reibungszahl|statischer reibungskoeffizient|reibungszahl statisch|静摩擦系数|静摩擦因数",
     'y', "1", NULL, NULL, NULL, true},
    {"repeat", CB_DIM_COUNT, REPEAT_WORDS, 0, NULL, NULL, NULL, NULL},
    {"area", CB_DIM_AREA, "area|contact area|sled area|flaeche|kontaktflaeche|接触面积|面积", 0, NULL, NULL,
     NULL, NULL},
    {"speed", CB_DIM_SPEED,
     "speed|velocity|sliding speed|test speed|geschwindigkeit|pruefgeschwindigkeit|速度|测试速度|滑动速度", 0,
     NULL, NULL, NULL, NULL},
};

static const guess_field trace[] = {
    {"time", CB_DIM_TIME, TIME_WORDS, 'x', "s", NULL, NULL, NULL},
    {"position", CB_DIM_LENGTH,
     "position|pos|displacement|distance|x|y|stage|travel|weg|traversenweg|traverse|stroke|schlittenweg|位移|"
     "行程",
     'z', NULL, NULL, NULL, NULL},
    {"force", CB_DIM_FORCE,
     "force|pull force|friction force|tangential force|lateral "
     "force|fx|ft|ff|reading|f|kraft|reibkraft|zugkraft|load cell|力|力值|摩擦力",
     'y', NULL, NULL, NULL, NULL},
    {"cloth", CB_DIM_NONE, CLOTH_WORDS, 0, NULL, "name of the cloth", "guess", NULL},
    {"body", CB_DIM_NONE, BODY_WORDS, 0, NULL, "name of the body", "guess too", NULL},
    {"angle", CB_DIM_ANGLE, DIRECTION_WORDS, 0, "deg", NULL, NULL, NULL},
    {"normal_force", CB_DIM_FORCE, LOAD_WORDS, 0, NULL, NULL, NULL, NULL},
    {"mass", CB_DIM_MASS, SLED_WORDS, 0, "g", "mass on the cloth", "100", NULL},
    {"area", CB_DIM_AREA, "area|contact area|sled area|flaeche|kontaktflaeche", 0, NULL, NULL, NULL, NULL},
};

static const guess_field release[] = {
    {"cloth", CB_DIM_NONE, CLOTH_WORDS "|~specimen|~probe|~试样", 0, NULL, "name of the cloth", "guess",
     NULL},
    {"body", CB_DIM_NONE, BODY_WORDS, 0, NULL, "name of the body", "guess too", NULL},
    {"release_angle", CB_DIM_ANGLE,
     "release angle|angle of release|angle of friction|friction angle|reibungswinkel|slip angle|angle of "
     "repose|critical "
     "angle|loesewinkel|gleitwinkel|rutschwinkel|"
     "abrutschwinkel|=angle|=winkel",
     'x', "deg", NULL, NULL, NULL},
    {"direction", CB_DIM_ANGLE, DIRECTION_WORDS, 0, "deg", NULL, NULL, NULL},
    {"mass", CB_DIM_MASS, SLED_WORDS, 0, "g", "mass of what slides", "100", NULL},
    {"area", CB_DIM_AREA, "area|contact area|sled area|flaeche|kontaktflaeche", 0, NULL, NULL, NULL, NULL},
    {"repeat", CB_DIM_COUNT, REPEAT_WORDS, 0, NULL, NULL, NULL, NULL},
};

static const guess_field incline[] = {
    {"cloth", CB_DIM_NONE, CLOTH_WORDS "|~specimen|~probe|~试样", 0, NULL, "name of the cloth", "guess",
     NULL},
    {"body", CB_DIM_NONE, BODY_WORDS, 0, NULL, "name of the body", "guess too", NULL},
    {"incline", CB_DIM_ANGLE,
     "incline|inclination|slope|slope angle|incline angle|neigung|neigungswinkel|steigung|=angle|=winkel",
     'x', "deg", NULL, NULL, NULL},
    {"direction", CB_DIM_ANGLE, DIRECTION_WORDS, 0, "deg", NULL, NULL, NULL},
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
    {"bending_warp", CB_DIM_RIGIDITY,
     OF_WARP("b") "|" OF_WARP("g") "|" OF_WARP("flexural rigidity") "|" OF_WARP(
         "biegesteifigkeit") "|" OF_WARP("bending") "|" OF_WARP("bending rigidity"),
     'k', NULL, NULL, NULL, NULL},
    {"bending_weft", CB_DIM_RIGIDITY,
     OF_WEFT("b") "|" OF_WEFT("g") "|" OF_WEFT("flexural rigidity") "|" OF_WEFT(
         "biegesteifigkeit") "|" OF_WEFT("bending") "|" OF_WEFT("bending rigidity"),
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
    {"friction", "xy", "load (N or g)|coefficient or force", "x", friction, LENGTH(friction)},
    {"release", "x", "angle", "", release, LENGTH(release)},
    {"incline", "xy", "slope|acceleration or distance", "", incline, LENGTH(incline)},
    {"trace", "xyz", "time|force|position", "", trace, LENGTH(trace)},
    {"permeability", "xy", "pressure difference|air permeability or flow", "x", permeability,
     LENGTH(permeability), true},
    {"stretch", "xy", "extension|force", "", stretch, LENGTH(stretch), true},
    {"cantilever", "x", "overhang, bending length or flexural rigidity", "", cantilever, LENGTH(cantilever),
     true},
    {"bending-moment", "xy", "curvature|moment", "", moment, LENGTH(moment)},
    {"shear", "xy", "shear angle|force", "", shear, LENGTH(shear)},
    {"compression", "xy", "pressure|thickness", "", compression, LENGTH(compression)},
    {"kes", "mk", "name of the cloth|KES figure", "", kes, LENGTH(kes)},
};
const size_t guess_n_kinds = LENGTH(guess_kinds);
