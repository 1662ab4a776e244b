/* db show, export material and import material as a person meets them: exact exit codes, both streams, and
 * bits that survive. */
#include <sys/stat.h>

#include "clitest.h"
#include "csvtest.h"
#include "exch_arcsim.h"

static const char mapping[] =
    "columns: {cloth: cloth, body: body, angle_deg: angle, cart_mass_g: cart, added_mass_g: added, reading: "
    "mV,"
    " friction_coefficient: mu}\n"
    "calibration: {reading_unit: mV/V, reading: 2.488, mass_g: 200, u_rel: 0.002}\n"
    "gravity_m_per_s2: 9.80665\ncontact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: "
    "3\nkind: kinetic\nsource: "
    "invented for a test\n";
/* mu = 0.5 at 0, 0.45 at 45, 0.4 at 90 degrees, whatever the load. */
static const char table[] =
    "cloth,body,angle,cart,added,mV,mu\n"
    "Twill,Foam,0,3,97,0.622,0.500\nTwill,Foam,0,3,97,0.622,0.500\nTwill,Foam,45,3,97,0.560,0.450\nTwill,"
    "Foam,45,3,97,0.560,0.450\n"
    "Twill,Foam,90,3,97,0.498,0.400\nTwill,Foam,90,3,97,0.498,0.400\n"
    "Twill,Foam,0,3,197,1.244,0.500\nTwill,Foam,45,3,197,1.120,0.450\nTwill,Foam,90,3,197,0.995,0.400\n";

/* Numbers of no cloth. */
static const char arcsim[] =
    "{\"density\": 0.25,\n"
    " \"stretching\": [[100, 10, 90, 40], [101, 11, 91, 41], [102, 12, 92, 42.1], [103, 13, 93, 43], [104, "
    "-14, 94, 44], [105, 15, 95, "
    "45]],\n"
    " \"bending\": [[24e-6, 25e-6, 26e-6, 27e-6, 28e-6], [29e-6, 30e-6, 31e-6, 32e-6, 33e-6], [34e-6, 35e-6, "
    "36e-6, 37e-6, 38e-6]]}\n";

/* lab.db: Twill with density, stretch, bending and friction on Foam. */
static int set_up(void **state) {
  (void)cbt_folder_set_up(state);
  clit_put("twill.json", arcsim);
  clit_put("map.yaml", mapping);
  clit_put("table.csv", table);
  clit_expect("import material twill.json --format arcsim --name Twill --source \"a book\" --db lab.db", 0,
              "cloth 'Twill' imported into lab.db: stretch, bending, 0 friction laws\n", "");
  clit_expect("import friction --mapping map.yaml --db lab.db table.csv", 0, "9 points", "");
  clit_expect("fit friction --cloth Twill --body Foam --db lab.db", 0, "Twill on Foam", "");
  return 0;
}

static void the_card_names_value_uncertainty_and_source(void **state) {
  (void)state;
  cbt_result r;
  cbt_run(&r, cbt_folder, "db show Twill --db lab.db");
  assert_int_equal(r.code, 0);
  static const char *const lines[] = {
      "cloth Twill\n  areal density  250 g/m2\n  source         a book\n  origin         imported\n  "
      "uncertainty    +- at 95 %\n",
      "\n  stretch, wang, imported\n    law of 2",
      "    source: a book\n",
      "no strain",
      "\n  bending, table, imported\n",
      "\n  kinetic friction on Foam, ",
      "    9 runs; law of 2",
      "; imported calibration 1",
      "    source: table.csv\n",
      " +- "};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    if (!strstr(r.out, lines[i])) fail_msg("'%s' is not on the card: %s", lines[i], r.out);
  clit_expect("db show Foam --db lab.db", 0, "kinetic friction under Twill", "");
  cbt_run(&r, cbt_folder, "db show Twill --db lab.db --json");
  jp_expect_text("db show", r.out);
}

static void arcsims_file_comes_out_as_it_went_in(void **state) {
  (void)state;
  clit_expect(
      "export material Twill --format arcsim --out out.json --db lab.db", 0, "",
      "clothbench export: out.json: not in this file: name, friction, air, hysteresis, every uncertainty\n");
  char *text = clit_get("out.json");
  json_t *in = json_loads(arcsim, 0, NULL), *out = json_loads(text, 0, NULL);
  for (size_t i = 0; i < 6 * 4; i++)
    assert_true(
        json_number_value(json_array_get(json_array_get(json_object_get(in, "stretching"), i / 4), i % 4)) ==
        json_number_value(json_array_get(json_array_get(json_object_get(out, "stretching"), i / 4), i % 4)));
  for (size_t i = 0; i < 3 * 5; i++)
    assert_true(
        json_number_value(json_array_get(json_array_get(json_object_get(in, "bending"), i / 5), i % 5)) ==
        json_number_value(json_array_get(json_array_get(json_object_get(out, "bending"), i / 5), i % 5)));
  assert_true(json_number_value(json_object_get(out, "density")) == 0.25);
  json_decref(in);
  json_decref(out);
  free(text);
}

/* The document without what belongs to its database: when a law was stored. */
static json_t *undated(const char *name) {
  char *text = clit_get(name);
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *law;
  size_t i;
  free(text);
  assert_non_null(doc);
  (void)json_object_del(json_object_get(doc, "stretch"), "created_at");
  (void)json_object_del(json_object_get(doc, "bending"), "created_at");
  json_array_foreach(json_object_get(doc, "friction"), i, law)(void) json_object_del(law, "created_at");
  return doc;
}

static void another_lab_has_the_same_bits(void **state) {
  (void)state;
  clit_expect("export material Twill --format json --out a.json --db lab.db", 0, "",
              "a.json: not in this file: the measurements behind the laws\n");
  cbt_result r;
  cbt_run(&r, cbt_folder, "import material a.json --format json --db b.db --json");
  if (r.code != 0) fail_msg("%s", r.err);
  jp_expect_text("import material", r.out);
  clit_expect("export material Twill --format json --out b.json --db b.db", 0, "",
              "b.json: not in this file");
  json_t *a = undated("a.json"), *b = undated("b.json");
  char *ta = json_dumps(a, JSON_REAL_PRECISION(17)), *tb = json_dumps(b, JSON_REAL_PRECISION(17));
  assert_string_equal(ta, tb);
  free(ta);
  free(tb);
  json_decref(a);
  json_decref(b);
  /* And it predicts the same. */
  cbt_result here, there;
  cbt_run(
      &here, cbt_folder,
      "predict friction --cloth Twill --body Foam --angle-deg 30 --normal-force-N 1.2 --json --db lab.db");
  cbt_run(&there, cbt_folder,
          "predict friction --cloth Twill --body Foam --angle-deg 30 --normal-force-N 1.2 --json --db b.db");
  assert_int_equal(there.code, 0);
  assert_string_equal(here.out, there.out);
  clit_expect("db check --db b.db", 0, "whole", "");
}

/* Every origin in the text: was becomes now, as long with its closing quote. */
static void claim(char *text, const char *was, const char *now) {
  char key[60];
  (void)snprintf(key, sizeof key, "\"origin\": \"%s", was);
  for (char *at = strstr(text, key); at; at = strstr(at, key))
    memcpy(at + strlen("\"origin\": \""), now, strlen(now));
}

/* What was measured there is imported here; what is virtual stays so. */
static void nothing_passes_for_more_than_it_is(void **state) {
  (void)state;
  clit_expect("export material Twill --format json --out v.json --db lab.db", 0, "", "v.json");
  char *text = clit_get("v.json");
  claim(text, "imported\"", "measured\"");
  clit_put("measured.json", text);
  claim(text, "measured\"", "virtual\" ");
  clit_put("virtual.json", text);
  free(text);
  clit_expect("import material measured.json --format json --db m.db", 0, "imported into m.db", "");
  clit_expect("import material virtual.json --format json --db v.db", 0, "imported into v.db", "");
  cbt_result r;
  cbt_run(&r, cbt_folder, "db show Twill --db m.db");
  assert_null(strstr(r.out, ", measured\n")); /* of a law */
  assert_null(strstr(r.out, "origin         measured"));
  cbt_run(&r, cbt_folder, "db show Twill --db v.db");
  assert_null(strstr(r.out, "imported\n"));
  assert_non_null(strstr(r.out, "kinetic friction on Foam, "));
  clit_expect("db check --db m.db", 0, "whole", "");
}

static const char cantilever_map[] =
    "kind: cantilever\nmethod: ASTM D1388\nsource: a bench\ncolumns:\n  material: {value: Poplin}\n  "
    "specimen: {column: s}\n"
    "  direction: {column: d, unit: deg}\n  overhang: {column: o, unit: mm, u_rel: 0.002}\n  chord_angle: "
    "{value: 41.5, unit: deg}\n"
    "  areal_density: {value: 150, unit: g/m2}\n";
static const char cantilever[] =
    "s,d,o\na,0,50.2\nb,0,49.1\nc,0,50.9\nd,45,44.3\ne,45,43.8\nf,45,44.9\ng,90,40.2\nh,90,39.3\ni,90,40.6\n";
static const char air_map[] =
    "kind: permeability\nmethod: ISO 9237\nsource: a bench\ncolumns:\n  material: {value: Poplin}\n  "
    "specimen: {column: s}\n"
    "  pressure: {column: p, unit: Pa}\n  velocity: {column: v, unit: mm/s}\n";
static const char air[] = "s,p,v\na,50,101\na,100,187\na,200,345\nb,50,99\nb,100,183\nb,200,351\n";

static void same_here_and_there(const char *command) {
  static cbt_result here, there;
  char args[300];
  (void)snprintf(args, sizeof args, "%s --json --db fit.db", command);
  cbt_run(&here, cbt_folder, args);
  (void)snprintf(args, sizeof args, "%s --json --db there.db", command);
  cbt_run(&there, cbt_folder, args);
  if (here.code != 0) fail_msg("%s: exit %d: %s", command, here.code, here.err);
  assert_string_equal(here.out, there.out);
}

/* Fits of tests: what the other laboratory predicts is the same text. */
static void fitted_laws_travel(void **state) {
  (void)state;
  clit_put("c.yaml", cantilever_map);
  clit_put("c.csv", cantilever);
  clit_put("p.yaml", air_map);
  clit_put("p.csv", air);
  clit_expect("import cantilever --mapping c.yaml c.csv --db fit.db", 0, "9 cantilever tests", "");
  clit_expect("import permeability --mapping p.yaml p.csv --db fit.db", 0, "2 permeability tests", "");
  clit_expect("fit bending --cloth Poplin --db fit.db", 0, "Poplin", "");
  clit_expect("fit permeability --cloth Poplin --db fit.db", 0, "Poplin", "");
  clit_expect("db show Poplin --db fit.db", 0, "areal density  150 g/m2", "");
  clit_expect("db show Poplin --db fit.db", 0, "    9 tests; law of 2", "");
  clit_says("card", "stdout", clit_last.out, ", B1");
  clit_expect("db show Poplin --db fit.db", 0, "; ASTM D1388: relative u 0.002 and 0\n    source: a bench\n",
              "");
  clit_expect("db show Poplin --db fit.db", 0, "face velocity        100 Pa ", "");
  clit_expect("export material Poplin --format json --out p.json --db fit.db", 0, "", "p.json");
  clit_expect("import material p.json --format json --db there.db", 0,
              "permeability, bending, 0 friction laws", "");
  same_here_and_there("predict bending --cloth Poplin --angle-deg 30 --overhang-mm 45 --areal-mass-g-m2 150");
  same_here_and_there("predict permeability Poplin*2 --pressure-Pa 150");
  clit_expect("export material Poplin --format arcsim --out x --db fit.db", 1, "",
              "there is no stretch law of 'Poplin', which ARCSim wants");
}

/* The i-th cloth: six rows of stretching (c11 ... from column 3), three of bending (from column 2). */
static exch_arcsim arcsim_of(const cb_csv *stretching, const cb_csv *bending, size_t i) {
  exch_arcsim a = {.density_kg_per_m2 = csvt_number_at(stretching, 6 * i, 1)};
  assert_string_equal(cb_csv_cell(stretching, 6 * i, 0), cb_csv_cell(bending, 3 * i, 0));
  for (size_t k = 0; k < 24; k++)
    a.stretching_N_per_m[k / 4][k % 4] = csvt_number_at(stretching, 6 * i + k / 4, 3 + k % 4);
  for (size_t k = 0; k < 15; k++)
    a.bending_N_m[k / 5][k % 5] = csvt_number_at(bending, 3 * i + k / 5, 2 + k % 5);
  return a;
}

static void expect_cloth(const char *command, const char *cloth) {
  static cbt_result r;
  char args[300];
  (void)snprintf(args, sizeof args, "%s %s", command, cloth);
  cbt_run(&r, cbt_folder, args);
  if (r.code != 0) fail_msg("%s: exit %d: %s", args, r.code, r.err);
}

/* The ten cloths of Wang et al. 2011 through ARCSim's form, ours, and ARCSim's again. */
static void measured_tables_survive(void **state) {
  (void)state;
  cb_csv *stretching, *bending;
  char *text = NULL, path[400];
  const char *folder = CBT_DATA "/wang2011_elastic";
  if (access(folder, R_OK) != 0) {
    print_message("no %s: skipped\n", folder);
    skip();
  }
  stretching = csvt_load(CBT_DATA "/wang2011_elastic/stretching.csv");
  bending = csvt_load(CBT_DATA "/wang2011_elastic/bending.csv");
  size_t n = cb_csv_rows(stretching) / 6;
  assert_int_equal(n, 10);
  (void)snprintf(path, sizeof path, "%s/w.json", cbt_folder);
  for (size_t i = 0; i < n; i++) {
    exch_arcsim a = arcsim_of(stretching, bending, i);
    assert_ok(exch_arcsim_write(&a, &text, err));
    cbt_write(path, text);
    expect_cloth("import material w.json --format arcsim --db w1.db --name",
                 cb_csv_cell(stretching, 6 * i, 0));
    expect_cloth("export material --format json --out w2.json --db w1.db", cb_csv_cell(stretching, 6 * i, 0));
    expect_cloth("import material w2.json --format json --db w2.db", "");
    expect_cloth("export material --format arcsim --out w3.json --db w2.db",
                 cb_csv_cell(stretching, 6 * i, 0));
    char *back = clit_get("w3.json");
    assert_string_equal(text, back);
    free(text);
    free(back);
  }
  cb_csv_free(stretching);
  cb_csv_free(bending);
}

static void the_table_has_one_property_a_line(void **state) {
  (void)state;
  clit_expect("export material Twill --format csv --out card.csv --db lab.db", 0, "",
              "card.csv: not in this file");
  char *text = clit_get("card.csv");
  assert_non_null(
      strstr(text,
             "# cloth Twill\nproperty,conditions,value,u,unit,dof,n,origin,source,date,calibration,validity\n"
             "areal density,,0.25,,kg/m2,,,imported,a book,,,\n"));
  assert_non_null(strstr(text, "\nkinetic friction on Foam: coefficient,0 deg at "));
  free(text);
}

static void other_programs_get_their_units(void **state) {
  (void)state;
  clit_expect("export material Twill --format blender --out twill.py --db lab.db", 0, "",
              "friction is a comment");
  char *text = clit_get("twill.py");
  assert_non_null(strstr(text, "\nareal_density = 0.25  # kg/m2\n"));
  assert_non_null(strstr(text, "\nshear = 40  # N/m,")); /* 2 G, with G = 2 c33 / 4 */
  assert_non_null(
      strstr(text, "# friction is the collider's: on Foam, object.collision.cloth_friction = 45\n"));
  free(text);
  clit_expect("export material Twill --format clo --out twill.csv --body Foam --db lab.db", 0, "",
              "twill.csv");
  text = clit_get("twill.csv");
  assert_non_null(strstr(text, "\nShear,fHK,g/s2,20000,"));
  assert_non_null(strstr(text, "\nFriction,fFriction,1,0.45"));
  free(text);
  clit_expect("export material Twill --format jfab --out twill.jfab --db lab.db", 0, "", "twill.jfab");
}

/* ARCSim's file has no uncertainty. */
static void an_unknown_uncertainty_is_named(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, "predict bending --cloth Twill --angle-deg 0 --overhang-mm 50 --db lab.db");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.out, "  chord  "));
  assert_non_null(strstr(r.out, ", uncertainty not known\n"));
  assert_null(strstr(r.out, "nan"));
}

/* A folder of files without names, by a table of their names: all, or none. */
static void a_folder_comes_whole(void **state) {
  (void)state;
  char path[400];
  assert_int_equal(mkdir(cbt_path("more", path), 0777), 0);
  clit_put("more/a.json", arcsim);
  clit_put("more/b.json", "{}");
  clit_put("names.csv", "file,name\na.json,Serge\nb.json,Drill\n");
  const char *import = "import material more --format arcsim --names names.csv --db more.db";
  clit_expect(import, 1, "", "more/b.json: the key 'density' is missing");
  assert_int_not_equal(access(cbt_path("more.db", path), F_OK), 0);
  clit_put("more/b.json", arcsim);
  clit_expect(import, 0,
              "more/b.json: cloth 'Drill' imported into more.db: stretch, bending, 0 friction laws", "");
  clit_expect("db show Serge --db more.db", 0, "cloth Serge\n", "");
  clit_put("names.csv", "file,name\na.json,Denim\n");
  json_t *doc = clit_json("import material more --format arcsim --names names.csv --db more.db --json", 0,
                          "import material --names");
  assert_int_equal(json_array_size(json_object_get(doc, "materials")), 1);
  json_decref(doc);
  clit_expect("import material more --format arcsim --names names.csv --name X --db more.db", 2, "",
              "--name and --names: one of them was wanted");
  clit_put("names.csv", "file,cloth\na.json,Denim\n");
  clit_expect(import, 1, "", "names.csv");
}

static void wrong_usage_is_told(void **state) {
  (void)state;
  clit_expect("export material Twill --format obj --out x --db lab.db", 2, "",
              "--format 'obj': json, csv, arcsim, u3m, blender, mujoco, newton, pybullet, ppf, clo or jfab "
              "was wanted");
  clit_expect("export material Twill --format json --db lab.db", 2, "", "--out is required");
  clit_expect("export cloth Twill --format json --out x --db lab.db", 2, "",
              "'cloth' with 1 argument: material NAME --format FORMAT");
  clit_expect("export material Twill --format json --body Foam --out x --db lab.db", 2, "",
              "--body: json holds the friction of all bodies");
  clit_expect("export material Twill --format clo --body Sponge --out x --db lab.db", 1, "",
              "no kinetic friction law of 'Twill' with 'Sponge'");
  clit_expect("export material Denim --format json --out x --db lab.db", 1, "",
              "no cloth named 'Denim'; there are: Twill");
  clit_expect("export material Foam --format arcsim --out x --db lab.db", 1, "",
              "the areal density of 'Foam' is not known, which ARCSim wants");
  clit_expect("export material Twill --format json --out none/x --db lab.db", 1, "", "none/x");
  clit_expect("import material twill.json --format obj --db lab.db", 2, "",
              "other formats of 'export' hold no laws");
  clit_expect("import material twill.json --format arcsim --db lab.db", 2, "",
              "--name, 1 to 63 bytes, was wanted");
  clit_expect("import material twill.json --format json --name X --db lab.db", 2, "",
              "--name and --source are for arcsim");
  clit_expect("import material twill.json --format json --db lab.db", 1, "",
              "twill.json: \"format\": \"clothbench-material\" was wanted");
  clit_expect("import material none.json --format json --db lab.db", 1, "", "none.json");
}

static void a_contradiction_stores_nothing(void **state) {
  (void)state;
  char heavier[sizeof arcsim];
  memcpy(heavier, arcsim, sizeof arcsim);
  memcpy(strstr(heavier, "0.25"), "0.26", 4);
  clit_put("heavier.json", heavier);
  cbt_result before, after;
  cbt_run(&before, cbt_folder, "db show Twill --db lab.db");
  clit_expect(
      "import material heavier.json --format arcsim --name Twill --db lab.db", 1, "",
      "lab.db: cloth 'Twill': areal_density_kg_per_m2 = 0.26 contradicts 0.25, which is known already");
  cbt_run(&after, cbt_folder, "db show Twill --db lab.db");
  assert_string_equal(before.out, after.out);
}

/* A law whose words are no law is refused before anything is stored. */
static void what_could_not_be_read_back_is_not_stored(void **state) {
  (void)state;
  clit_expect("export material Twill --format json --out t.json --db lab.db", 0, "", "t.json");
  char *text = clit_get("t.json"), *at = strstr(text, "\"stretch\": {");
  assert_non_null(at);
  at = strstr(at, "\"result\": {");
  assert_non_null(at);
  char *changed = malloc(strlen(text) + 20);
  assert_non_null(changed);
  (void)sprintf(changed, "%.*s\"result\": {\"form\": 3}}%s", (int)(at - text), text,
                strstr(at, ",\n  \"bending\""));
  clit_put("broken.json", changed);
  free(changed);
  free(text);
  clit_expect("import material broken.json --format json --db broken.db", 1, "",
              "clothbench import: broken.json: stretch law: ");
}

/* A body's numbers: in by the command, on the card with their uncertainty, through a file with all bits, the
 * newest counts. */
static void bodies_have_elasticity(void **state) {
  (void)state;
#define FOAM "import elasticity Foam --source 'data sheet 7' --db lab.db "
  clit_expect(FOAM "--young-kPa 1", 0, "body 'Foam': law", "");
  json_t *doc = clit_json(
      FOAM
      "--density-kg-per-m3 24.1 --u-density-kg-per-m3 0.5 --young-kPa 61.3 --u-young-kPa 9 --poisson 0.3"
      " --method 'ISO 3386-1' --json",
      0, "import elasticity");
  assert_true(clit_number(json_object_get(doc, "elasticity"), "young_Pa") == 61.3 * 1e3);
  json_decref(doc);
  static const char *const lines[] = {"  elasticity, isotropic, imported\n", "    source: data sheet 7\n",
                                      "24.10 +- 0.98          kg/m3", "61000 +- 18000         Pa",
                                      "Poisson's ratio"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    clit_expect("db show Foam --db lab.db", 0, lines[i], "");
  clit_expect("export material Foam --format json --out foam.json --db lab.db", 0, "", "foam.json");
  clit_expect("import material foam.json --format json --db e.db", 0,
              "body 'Foam' imported into e.db: elasticity, 1 friction law", "");
  clit_expect("export material Foam --format json --out again.json --db e.db", 0, "", "again.json");
  char path[400];
  doc = json_load_file(cbt_path("again.json", path), 0, NULL);
  const json_t *law = json_object_get(json_object_get(json_object_get(doc, "elasticity"), "result"), "law");
  assert_true(clit_number(law, "young_Pa") == 61.3 * 1e3 && clit_number(law, "u_density_kg_per_m3") == 0.5);
  assert_true(json_is_null(json_object_get(law, "u_poisson")));
  json_decref(doc);
  clit_expect(
      FOAM, 1, "",
      "clothbench import: law of elasticity: density, Young's modulus or Poisson's ratio was wanted\n");
  clit_expect(FOAM "--poisson 0.5", 1, "",
              "clothbench import: poisson = 0.5: must be above -1 and below 0.5\n");
  clit_expect(FOAM "--u-poisson 0.1", 1, "",
              "clothbench import: poisson: an uncertainty of 0.1, but no value\n");
  clit_expect(FOAM "--young-kPa 0", 2, "", "--young-kPa");
  clit_expect("import elasticity Foam --young-kPa 3 --db lab.db", 2, "", "--source");
  clit_expect("import elasticity '' --young-kPa 3 --source x --db lab.db", 1, "", "clothbench import: ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_card_names_value_uncertainty_and_source),
      cmocka_unit_test(arcsims_file_comes_out_as_it_went_in),
      cmocka_unit_test(another_lab_has_the_same_bits),
      cmocka_unit_test(nothing_passes_for_more_than_it_is),
      cmocka_unit_test(the_table_has_one_property_a_line),
      cmocka_unit_test(other_programs_get_their_units),
      cmocka_unit_test(an_unknown_uncertainty_is_named),
      cmocka_unit_test(a_folder_comes_whole),
      cmocka_unit_test(wrong_usage_is_told),
      cmocka_unit_test(a_contradiction_stores_nothing),
      cmocka_unit_test(fitted_laws_travel),
      cmocka_unit_test(measured_tables_survive),
      cmocka_unit_test(what_could_not_be_read_back_is_not_stored),
      cmocka_unit_test(bodies_have_elasticity),
  };
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
