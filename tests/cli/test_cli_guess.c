/* Mappings guessed for tables as laboratories write them: the guess names the right columns and units, and
 * the filled-in mapping imports the table; a table that cannot be described is refused, and nothing is
 * written. */
#include <unistd.h>

#include "cb_store_material_test.h"
#include "clitest.h"

typedef struct guessed {
  const char *file, *text, *kind;
  const char *lines[8]; /* of the mapping */
  const char *shown;    /* by the import */
} guessed;

static const guessed tables[] = {
    {"tausend.csv",
     "Probe;Druck in Pa;Luftdurchl\xc3\xa4ssigkeit in l/m\xc2\xb2/s\nA;100;1.234,5\nA;200;2.301,0\n",
     "permeability",
     {"decimal_comma: true", "unit: \"L/m2/s\"}  # 1234.5 ... 2301"},
     "1 permeability test with 2 points"},
    {"zug.csv",
     "Zugversuch;;;\r\nPr\xfc"
     "fer;M\xfcller;;\r\nGewebe;K\xf6per 23;;\r\nBreite;50;mm;\r\nEinspannl\xe4nge;200;mm;\r\n;;;\r\n"
     "Probe;Richtung;Standardweg;Standardkraft\r\nNr.;\xb0;mm;N\r\n1;0;0,0;0,5\r\n1;0;1,0;4,1\r\n1;0;2,0;8,"
     "3\r\n1;0;3,0;13,0\r\n"
     ";;;\r\n2;0;0,0;0,4\r\n2;0;1,0;4,0\r\n2;0;2,0;8,1\r\n2;0;3,0;12,6\r\n",
     "stretch",
     {"encoding: latin1", "decimal_comma: true", "material: {value: \"K\xc3\xb6per 23\"}",
      "specimen: {column: \"1\"}", "displacement: {column: \"3\", unit: \"mm\"}",
      "force: {column: \"4\", unit: \"N\"}", "length: {value: \"200\", unit: \"mm\"}",
      "width: {value: \"50\", unit: \"mm\"}"},
     "2 stretch tests with 8 points"},
    {"air.csv",
     "Sample,Test pressure (Pa),Air permeability (mm/s)\nVoile A,50,310\nVoile A,100,602\nVoile A,200,1150\n"
     "Voile B,50,280\nVoile B,100,541\nVoile B,200,1041\nMean,117,654\nSD,68,370\n",
     "permeability",
     {"last_line: 7", "material: {column: \"Sample\"}",
      "pressure: {column: \"Test pressure (Pa)\", unit: \"Pa\"}",
      "velocity: {column: \"Air permeability (mm/s)\", unit: \"mm/s\"}"},
     "2 permeability tests with 6 points"},
    {"cof.tsv",
     "Fabric\tBody\tNormal load [N]\tDirection [deg]\tCOF static\tCOF kinetic\nTwill "
     "3/1\tSteel\t1.0\t0\t0.31\t0.25\n"
     "Twill 3/1\tSteel\t2.0\t0\t0.30\t0.24\nTwill 3/1\tSteel\t1.0\t90\t0.28\t0.22\nTwill "
     "3/1\tSteel\t2.0\t90\t0.27\t0.21\n",
     "friction",
     {"cloth: {column: \"Fabric\"}", "normal_force: {column: \"Normal load [N]\", unit: \"N\"}",
      "direction: {column: \"Direction [deg]\", unit: \"deg\"}",
      "friction_coefficient: {column: \"COF kinetic\", unit: \"1\"}",
      "static_coefficient: {column: \"COF static\", unit: \"1\"}"},
     "4 points of 1 pair"},
    {"kes.csv",
     ";Warp;;;Weft;;;;\nFabric;EM (%);LT;B (gf cm2/cm);EM (%);LT;B (gf cm2/cm);G (gf/cm deg);W (mg/cm2)\n"
     "Serge;4.1;0.71;0.081;6.2;0.68;0.052;0.63;21.2\nPoplin;2.9;0.80;0.045;4.4;0.74;0.038;0.81;11.9\n",
     "kes",
     {"skip_lines: 2", "em_weft: {column: \"5\", unit: \"%\"}", "lt_warp: {column: \"3\", unit: \"1\"}",
      "bending_weft: {column: \"7\", unit: \"gf cm2/cm\"}", "shear: {column: \"8\", unit: \"gf/cm/deg\"}",
      "areal_density: {column: \"9\", unit: \"mg/cm2\"}"},
     "2 cloths"},
    {"ueberhang.csv",
     "\xef\xbb\xbf\xc3\x9c"
     "berhang [mm];Probe;Richtung\n41,0;K1;Kette\n42,5;K2;Schuss\n",
     "cantilever",
     {"overhang: {column: \"\xc3\x9c"
      "berhang [mm]\", unit: \"mm\"}",
      "words: {\"Kette\": 0, \"Schuss\": 90}}", "chord_angle: {value: \"?\", unit: \"deg\"}",
      "material: {value: \"?\"}"},
     "2 cantilever tests"},
    {"bend.csv",
     "Bending test FB2\nSample: Denim 12 oz\nWidth = 10 mm\n\nCurvature (1/cm),Moment (gf "
     "cm/cm)\n-2.0,-0.20\n-1.0,-0.12\n"
     "0.0,-0.01\n1.0,0.12\n2.0,0.21\n",
     "bending-moment",
     {"skip_lines: 4", "material: {value: \"Denim 12 oz\"}",
      "curvature: {column: \"Curvature (1/cm)\", unit: \"1/cm\"}",
      "moment_per_width: {column: \"Moment (gf cm/cm)\", unit: \"gf cm/cm\"}",
      "width: {value: \"10\", unit: \"mm\"}"},
     "1 bending-moment test with 5 points"},
    {"trace.csv",
     "time_s,position_mm,force_N\n0.00,0.0,0.01\n0.01,0.1,0.12\n0.02,0.2,0.25\n0.03,0.3,0.31\n0.04,0.4,0."
     "28\n",
     "trace",
     {"time: {column: \"time_s\", unit: \"s\"}", "position: {column: \"position_mm\", unit: \"mm\"}",
      "force: {column: \"force_N\", unit: \"N\"}", "mass: {value: \"?\", unit: \"g\"}"},
     "5 samples of force"},
    {"gleit.csv",
     "\"Stoff\";\"Unterlage\";\"Schlittenmasse (g)\";\"Gleitwinkel "
     "(\xc2\xb0)\"\n\"Satin\";\"Stahl\";\"200\";\"17,5\"\n"
     "\"Satin\";\"Stahl\";\"200\";\"17,9\"\n\"Satin\";\"Stahl\";\"400\";\"16,8\"\n\n\"K\xc3\xb6per\";"
     "\"Stahl\";\"200\";\"21,0\"\n",
     "release",
     {"cloth: {column: \"Stoff\"}", "body: {column: \"Unterlage\"}",
      "release_angle: {column: \"Gleitwinkel (\xc2\xb0)\", unit: \"deg\"}",
      "mass: {column: \"Schlittenmasse (g)\", unit: \"g\"}"},
     "runs 1 to 4 of 2 pairs"},
    {"tensile.csv",
     "Specimen,Extension (mm),Load (N),Time "
     "(s)\nA1,0,0.02,0\nA1,1,3.1,3\nA1,2,6.4,6\nA1,3,10.2,9\nA2,0,0.03,0\nA2,1,3.0,3\n",
     "stretch",
     {"displacement: {column: \"Extension (mm)\", unit: \"mm\"}",
      "force: {column: \"Load (N)\", unit: \"N\"}", "length: {value: \"?\", unit: \"mm\"}",
      "width: {value: \"?\", unit: \"mm\"}", "# not used: Time"},
     "2 stretch tests with 6 points"},
    {"vlies.csv",
     "Material;p [Pa];Volumenstrom [l/min];Fl\xc3\xa4"
     "che [cm\xc2\xb2]\nVlies 40;20;1,2;20\nVlies 40;50;2,9;20\n"
     "Vlies 40;100;5,8;20\nVlies 40;200;11,2;20\n",
     "permeability",
     {"flow: {column: \"Volumenstrom [l/min]\", unit: \"L/min\"}",
      "area: {column: \"Fl\xc3\xa4"
      "che [cm\xc2\xb2]\", unit: \"cm2\"}"},
     "1 permeability test with 4 points"},
    /* written after the program could do those above */
    {"pandas.csv",
     "fabric,body,angle_deg,load_N,mu_k,remark\nWool,Foam,0,1,0.5,ok\nWool,Foam,45,1,0.48,\nWool,Foam,90,1,0."
     "46,\"slipped, "
     "repeat\"\n",
     "friction",
     {"direction: {column: \"angle_deg\", unit: \"deg\"}", "normal_force: {column: \"load_N\", unit: \"N\"}",
      "friction_coefficient: {column: \"mu_k\", unit: \"1\"}", "# not used: remark"},
     "3 points of 1 pair"},
    {"board.csv",
     "Angle,Fabric,Board,Slip angle deg,Mass g\nwarp,Denim,Pine,24.5,150\nweft,Denim,Pine,22.0,150\n",
     "release",
     {"release_angle: {column: \"Slip angle deg\", unit: \"deg\"}",
      "direction: {column: \"Angle\", unit: \"deg\"", "body: {column: \"Board\"}",
      "mass: {column: \"Mass g\", unit: \"g\"}"},
     "runs 1 to 2 of 1 pair"},
    {"slope.csv",
     "Fabric;Slope (deg);Time (s);Distance (mm);Mass "
     "(g)\nSilk;30;0,0;0;50\nSilk;30;0,1;10;50\nSilk;30;0,2;41;50\n"
     "Silk;30;0,3;92;50\nSilk;30;0,4;163;50\n",
     "incline",
     {"incline: {column: \"Slope (deg)\", unit: \"deg\"}", "time: {column: \"Time (s)\", unit: \"s\"}",
      "distance: {column: \"Distance (mm)\", unit: \"mm\"}", "body: {value: \"?\"}"},
     "runs 1 to 1 of 1 pair"},
    {"pruef.csv",
     "Pr\xc3\xbc"
     "fbericht;;;;\n;;;;\nNr;Messdruck [Pa];Pr\xc3\xbc"
     "ffl\xc3\xa4"
     "che [cm\xc2\xb2];Luftdurchl\xc3\xa4ssigkeit;Ort\n"
     "1;100;20;123;A\n2;100;20;131;B\n3;100;20;127;C\n;;;;\nMittelwert;;;127;\nStd.-Abw.;;;4;\n",
     "permeability",
     {"last_line: 6", "pressure: {column: \"Messdruck [Pa]\", unit: \"Pa\"}",
      "velocity: {column: \"Luftdurchl\xc3\xa4ssigkeit\", unit: \"?\"}"},
     "permeability test"},
    {"shear.csv",
     "KES-FB1\nSample: Denim\n\nShear angle (deg),Shear force "
     "(gf/cm)\n0,0\n2.5,2\n5,3\n8,4\n5,2\n0,-1\n-5,-3\n-8,-4\n-5,-2\n0,1\n",
     "shear",
     {"shear_angle: {column: \"Shear angle (deg)\", unit: \"deg\"}",
      "force_per_width: {column: \"Shear force (gf/cm)\", unit: \"gf/cm\"}", "material: {value: \"Denim\"}"},
     "1 shear test with 10 points"},
    {"druck.csv",
     "Probe;Druck [gf/cm2];Dicke "
     "[mm]\nA;0,5;1,00\nA;5;0,90\nA;20;0,82\nA;50;0,76\nA;20;0,79\nA;5;0,86\nA;0,5;0,97\n",
     "compression",
     {"pressure: {column: \"Druck [gf/cm2]\", unit: \"gf/cm2\"}",
      "thickness: {column: \"Dicke [mm]\", unit: \"mm\"}"},
     "1 compression test with 7 points"},
    {"surface.csv",
     "Fabric,MIU,MMD,SMD (um),T0 (mm),TM (mm),WC (gf cm/cm2),RC "
     "(%)\nSerge,0.18,0.012,4.1,0.62,0.41,0.11,52\n",
     "kes",
     {"miu: {column: \"MIU\", unit: \"1\"}", "smd: {column: \"SMD (um)\", unit: \"um\"}",
      "t0: {column: \"T0 (mm)\", unit: \"mm\"}", "wc: {column: \"WC (gf cm/cm2)\", unit: \"gf cm/cm2\"}"},
     "1 cloth"},
    /* an angle of the instrument beside the direction of the cloth */
    {"biege.csv",
     "Probe;Winkel (\xc2\xb0);\xc3\x9c"
     "berhang (mm);Richtung\n1;41,5;51,2;Kette\n2;41,5;50,8;Kette\n3;41,5;43,1;Schuss\n",
     "cantilever",
     {"direction: {column: \"Richtung\", unit: \"deg\", words: {\"Kette\": 0, \"Schuss\": 90}}",
      "chord_angle: {column: \"Winkel (\xc2\xb0)\", unit: \"deg\"}"},
     "3 cantilever tests"},
    {"scher.csv",
     "Probe;Winkel (\xc2\xb0);Scherkraft (N/m);Richtung\nD;0;0;Kette\nD;2;5,1;Kette\nD;4;9,2;Kette\n"
     "D;0;0;Schuss\nD;2;4,1;Schuss\nD;4;8,2;Schuss\n",
     "shear",
     {"direction: {column: \"Richtung\"", "shear_angle: {column: \"Winkel (\xc2\xb0)\", unit: \"deg\"}"},
     "2 shear tests with 6 points"},
    {"lage.csv",
     "Probe;Bending angle;Overhang (mm);Cut\n1;43;51.2;warp\n2;43;43.1;weft\n",
     "cantilever",
     {"direction: {column: \"Cut\", unit: \"deg\", words: {\"warp\": 0, \"weft\": 90}}",
      "chord_angle: {column: \"Bending angle\""},
     "2 cantilever tests"},
    {"schnitt.csv",
     "Probe;Winkel;Weg (mm);Kraft (N)\n1;0;0;0\n1;0;1;5\n1;22.5;0;0\n1;22.5;1;3\n1;90;0;0\n1;90;1;3\n",
     "stretch",
     {"direction: {column: \"Winkel\", unit: \"deg\"}"},
     "3 stretch tests"},
    {"schief.csv",
     "Probe;Richtung;Weg (mm);Kraft (N)\n1;Kette;0;0\n1;Kette;1;5\n1;Schuss;0;0\n1;Schuss;1;3\n1;schief;0;0\n"
     "1;schief;1;3\n",
     "stretch",
     {"direction: {column: \"Richtung\", unit: \"deg\", words: {\"Kette\": 0, \"Schuss\": 90, \"schief\": "
      "\"?\"}}"},
     "3 stretch tests"},
    {"lose.csv",
     "Stoff;Unterlage;Masse (g);Winkel (\xc2\xb0);Fadenrichtung\nDenim;Stahl;200;17,5;Kette\n"
     "Denim;Stahl;200;22,3;Schuss\n",
     "release",
     {"release_angle: {column: \"Winkel (\xc2\xb0)\", unit: \"deg\"}",
      "direction: {column: \"Fadenrichtung\""},
     "runs 1 to 2 of 1 pair"},
    {"titel.csv",
     "Richtung: Schuss\nProbe;Weg (mm);Kraft (N)\n1;0;0\n1;1;5\n1;2;9\n",
     "stretch",
     {"direction: {value: \"90\", unit: \"deg\"}"},
     "1 stretch test with 3 points"},
    {"proben.csv",
     "Probe;Weg (mm);Kraft (N)\nKette 1;0;0\nKette 1;1;5\nSchuss 1;0;0\nSchuss 1;1;3\n",
     "stretch",
     {"direction: {value: \"?\", unit: deg}  # 'Probe' names several directions"},
     "2 stretch tests"},
};
#define N_TABLES (sizeof tables / sizeof tables[0])

/* What a person would fill in, by the line's field. */
static void fill_in(const char *from, const char *to) {
  static const char *const answers[][2] = {{"source: ", "our laboratory"},
                                           {"  material: ", "Serge"},
                                           {"  cloth: ", "Serge"},
                                           {"  body: ", "Steel"},
                                           {"  length: ", "100"},
                                           {"  width: ", "50"},
                                           {"  mass: ", "120"},
                                           {"  chord_angle: ", "41.5"},
                                           {"  direction: ", "45"},
                                           {"  velocity: ", "mm/s"}};
  char *mapping = clit_get(from), text[8000] = "", *next;
  for (char *line = mapping; line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    char *mark = strstr(line, "\"?\"");
    size_t n = strlen(text);
    for (size_t i = 0; mark && i < sizeof answers / sizeof answers[0]; i++)
      if (strncmp(line, answers[i][0], strlen(answers[i][0])) == 0) {
        (void)snprintf(text + n, sizeof text - n, "%.*s\"%s\"", (int)(mark - line), line, answers[i][1]);
        line = mark + 3;
        break;
      }
    n = strlen(text);
    (void)snprintf(text + n, sizeof text - n, "%s\n", line);
  }
  clit_put(to, text);
  free(mapping);
}

static void right_guesses_import(void **state) {
  (void)state;
  for (size_t i = 0; i < N_TABLES; i++) {
    const guessed *g = &tables[i];
    char words[300];
    clit_put(g->file, g->text);
    (void)snprintf(words, sizeof words, "import --guess %s --out guess-%zu.yaml", g->file, i);
    clit_expect(words, 0, "guess-", g->kind);
    (void)snprintf(words, sizeof words, "guess-%zu.yaml", i);
    char *mapping = clit_get(words);
    for (size_t k = 0; k < 8 && g->lines[k]; k++)
      if (!strstr(mapping, g->lines[k]))
        fail_msg("%s: '%s' was wanted in:\n%s", g->file, g->lines[k], mapping);
    free(mapping);
    fill_in(words, "filled.yaml");
    (void)snprintf(words, sizeof words, "import %s --mapping guess-%zu.yaml %s --db %zu.db", g->kind, i,
                   g->file, i);
    clit_expect(words, 1, "", "= '?'");
    (void)snprintf(words, sizeof words, "import %s --mapping filled.yaml %s --db %zu.db", g->kind, g->file,
                   i);
    clit_run(words, 0);
    clit_says(g->file, "stdout", clit_last.out, g->shown);
  }
}

static void numbers_arrive_in_si(void **state) {
  (void)state;
  clit_put("zug.csv", tables[1].text);
  clit_run("import --guess zug.csv --out map.yaml", 0);
  fill_in("map.yaml", "filled.yaml");
  clit_run("import stretch --mapping filled.yaml zug.csv --db lab.db", 0);
  cb_store *store;
  cb_material m;
  cb_material_test *list;
  cb_test_point *points;
  size_t n, n_points;
  char path[400];
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_READ, &store, err));
  assert_ok(cb_store_material_find(store, CB_CLOTH, "K\xc3\xb6per 23", &m, err));
  assert_ok(cb_store_tests(store, m.id, CB_TEST_STRETCH, &list, &n, err));
  assert_ok(cb_store_test_points(store, &list[0], &points, &n_points, err));
  assert_true(n == 2 && n_points == 4);
  assert_near(list[0].length_m, 0.2, 1e-12);
  assert_near(list[0].width_m, 0.05, 1e-12);
  assert_near(points[3].x, 0.003, 1e-12);
  assert_near(points[3].y, 13, 1e-12);
  free(points);
  free(list);
  assert_ok(cb_store_close(store, err));
}

static void what_cannot_be_guessed_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } refused[] = {
      {"x,y,z\n1,2,3\n4,5,6\n7,8,9\n", "the columns 'x', 'y', 'z' are those of no kind"},
      {"Specimen;Force (N);Strain (%)\nA;1,0;0,5\nA;2.0;1.0\nA;3,1;1,5\n", ":3: '2.0' has a decimal point"},
      {"Warp\nStrain (%),Force (N)\n0,0\n1,2\n2,4\n3,6\n\nWeft\nStrain (%),Force (N)\n0,0\n1,1\n2,2\n3,3\n",
       ":10: a second table begins here"},
      {"PK\x03\x04 rest of a workbook", "a packed file that is cut or damaged"},
      {"1;2\n3;4\n", ":1: numbers without a header"},
      {"no table at all\n", "no table"},
      {"a,\"b\n1,2\n", "never closed"},
      {"Sample,Pressure (Pa),Velocity (mm/s)\nA,100,50\nMean,100,50\nB,100,60\n",
       ":3: 'Mean' among the data"},
      {"Sample,Pressure (Pa),Velocity (mm/s)\nA,100,-50\nA,200,90\n", "looks like 'permeability'"},
      {"", "no table"},
      {"Probe;Weg (mm);Kraft Kette (N);Kraft Schuss (N)\nD;0;0;0\nD;1;5;3\n",
       "'Kraft Kette' and 'Kraft Schuss' are directions side by side"},
      {";Warp;;Weft;\nSpecimen;Extension (mm);Force (N);Extension (mm);Force (N)\nD;0;0;0;0\nD;1;5;1;3\n",
       "are directions side by side"},
  };
  char path[400];
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    clit_put("table.csv", refused[i].text);
    clit_expect("import --guess table.csv --out map.yaml", 1, "", refused[i].says);
    assert_int_not_equal(access(cbt_path("map.yaml", path), F_OK), 0);
  }
  clit_put("table.csv", tables[2].text);
  clit_expect("import friction --guess table.csv", 1, "", "are not those of 'friction'");
  clit_expect("import drape --guess table.csv", 2, "", "'drape': cannot be guessed");
  clit_put("map.yaml", "mine");
  clit_expect("import --guess table.csv --out map.yaml", 1, "", "exists already");
  char *kept = clit_get("map.yaml");
  assert_string_equal(kept, "mine");
  free(kept);
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(right_guesses_import), T(numbers_arrive_in_si),
                                     T(what_cannot_be_guessed_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
