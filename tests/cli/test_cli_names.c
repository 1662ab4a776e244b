/* Amended conditions and names: a law after a correction is the law of rows that were typed rightly, to the
 * bit; what was typed stays readable; a slip in a new name is asked about. */
#include <math.h>
#include <stdlib.h>

#include "cb_nearest.h"
#include "cb_store.h"
#include "clitest.h"
#include "storelaws.h"

#define MAPPING                                                                                              \
  "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"                        \
  "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n  force: {column: F, unit: " \
  "N}\n"
#define SOUND                                                                                    \
  "Wool Twill,Steel,0,1,0.2013\nWool Twill,Steel,0,2,0.3904\nWool Twill,Steel,0,4,0.7612\nWool " \
  "Twill,Steel,90,1,0.2204\nWool Twill,Steel,90,2,0.4310\nWool Twill,Steel,90,4,0.8422\nWool "   \
  "Twill,Steel,0,1,0.2001\n"

static void import_more(const char *db, const char *rows, const char *options, int exit_code) {
  char text[2000], words[200];
  clit_put("map.yaml", MAPPING);
  (void)snprintf(text, sizeof text, "c,b,deg,N,F\n%s", rows);
  clit_put("runs.csv", text);
  (void)snprintf(words, sizeof words, "import friction --mapping map.yaml runs.csv --db %s %s", db, options);
  clit_run(words, exit_code);
}

/* Two slips in one table: one sentence, nothing stored; a person at a terminal says what each is. */
static void slips_are_told_at_once(void **state) {
  (void)state;
  import_more("a.db", SOUND "Cotton Plain,Steel,0,1,0.21\n", "", 0);
  import_more("a.db", "Wool Twil,Steel,0,8,1.5\nCoton Plain,Steel,0,8,1.5\nWool Twil,Stell,0,9,1.7\n", "", 2);
  clit_says("import", "stderr", clit_last.err,
            "2 names are new and near to known ones: cloth 'Wool Twil' ('Wool Twill'?), cloth 'Coton Plain' "
            "('Cotton Plain'?); --new says that all are others");
  clit_expect("db query \"select name from v_material where kind = 'cloth'\" --db a.db", 0, "2 rows", "");
  if (system("command -v script >/dev/null") != 0) {
    print_message("script is not installed: no terminal is played\n");
    return;
  }
  char folder[400], command[1500];
  (void)cbt_path("", folder);
  (void)snprintf(command, sizeof command,
                 "cd '%s' && printf 'maybe\\ny\\nn\\n' | USER=Ada script -qec \"" CB_EXE
                 " import friction --mapping map.yaml runs.csv --db a.db\" /dev/null > said.txt",
                 folder);
  assert_int_equal(system(command), 0);
  char *said = clit_get("said.txt");
  assert_non_null(
      strstr(said, "The cloth 'Wool Twil' is new, and there is 'Wool Twill': is that one meant?"));
  free(said);
  clit_expect("db query \"select name, n_runs from v_material where kind = 'cloth' order by name\" --db a.db",
              0, "Coton Plain", "");
  clit_says("query", "stdout", clit_last.out, "3 rows");
  clit_expect("db query \"select kind, name, operator_name from material_name\" --db a.db", 0,
              "alias  Wool Twil  Ada", "");
  clit_run("db check --db a.db", 0);
}

static cb_friction_law fitted(const char *db, const char *cloth) {
  char words[200], path[400];
  cb_store *s;
  cb_friction_law law;
  (void)snprintf(words, sizeof words, "fit friction --cloth \"%s\" --body Steel --db %s", cloth, db);
  clit_run(words, 0);
  assert_ok(cb_store_open(cbt_path(db, path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_law_find(s, cloth, "Steel", CB_FRICTION_KINETIC, &law, err));
  assert_ok(cb_store_close(s, err));
  return law;
}

static void assert_same_law(const cb_friction_law *a, const cb_friction_law *b) {
  assert_int_equal(a->n_knots, b->n_knots);
  for (size_t k = 0; k < a->n_knots; k++) assert_memory_equal(&a->knots[k], &b->knots[k], sizeof a->knots[k]);
  assert_true(a->exponent == b->exponent && a->u_exponent == b->u_exponent && a->dof == b->dof &&
              a->u_rel_model == b->u_rel_model && a->u_rel_common == b->u_rel_common);
}

/* The angle of run 8 was typed as 0; it was 90. */
static void an_amended_angle_makes_the_law_of_that_angle(void **state) {
  (void)state;
  import_more("a.db", SOUND "Wool Twill,Steel,0,2,0.4299\n", "", 0);
  import_more("b.db", SOUND "Wool Twill,Steel,90,2,0.4299\n", "", 0);
  const cb_friction_law wrong = fitted("a.db", "Wool Twill"), right = fitted("b.db", "Wool Twill");
  assert_true(wrong.knots[1].f_N[0] != right.knots[1].f_N[0]);
  clit_expect("db amend 8 --set angle_deg=90 --reason \"sheet says so\" --operator Mia --db a.db", 0,
              "run 8 (90 deg, 2 N) is amended", "the laws of its pair change");
  const cb_friction_law amended = fitted("a.db", "Wool Twill");
  clit_says("fit", "stderr", clit_last.err, "1 run of Wool Twill on Steel amended");
  assert_same_law(&amended, &right);
  clit_expect("db corrections --db a.db", 0, "angle_deg 0 -> 90: sheet says so (Mia)", "");
  clit_run("db amend 8 --set angle_deg=45 --reason again --db a.db", 0);
  clit_expect("db corrections --db a.db", 0, "angle_deg 90 -> 45: again", "");
  clit_expect("db check --db a.db", 0, "whole", "");
}

/* A prediction before the next fit does not use the law of the wrong load. */
static void a_law_of_amended_runs_is_stale(void **state) {
  (void)state;
#define ASK \
  "predict friction --cloth \"Wool Twill\" --body Steel --angle-deg 0 --normal-force-N 4 --db %s --json"
  char words[300];
  double force[2];
  import_more("a.db", SOUND "Wool Twill,Steel,0,3,0.7700\n", "", 0);
  import_more("b.db", SOUND "Wool Twill,Steel,0,4,0.7700\n", "", 0);
  (void)fitted("a.db", "Wool Twill");
  (void)fitted("b.db", "Wool Twill");
  clit_run("db amend 8 --set normal_force_N=4 --reason \"four discs, not three\" --db a.db", 0);
  for (int k = 0; k < 2; k++) {
    (void)snprintf(words, sizeof words, ASK, k ? "b.db" : "a.db");
    json_t *doc = clit_json(words, 0, NULL);
    force[k] = json_number_value(json_object_get(doc, "force_N"));
    json_decref(doc);
  }
  assert_true(force[0] > 0);
  assert_true(fabs(force[0] - force[1]) < 1e-12);
}

static void a_cloth_typed_wrongly_joins_the_one_meant(void **state) {
  (void)state;
  import_more("a.db", SOUND, "", 0);
  import_more("a.db", "Wool Twil,Steel,90,2,0.4299\n", "", 2);
  clit_says("import", "stderr", clit_last.err,
            "the cloth 'Wool Twil' is new, and there is 'Wool Twill': did you mean that one? --new");
  import_more("a.db", "Wool Twil,Steel,90,2,0.4299\n", "--new", 0);
  import_more("b.db", SOUND, "", 0);
  import_more("b.db", "Wool Twill,Steel,90,2,0.4299\n", "", 0);
  const cb_friction_law apart = fitted("a.db", "Wool Twill"), right = fitted("b.db", "Wool Twill");
  clit_expect("db alias \"Wool Twil\" \"Wool Twill\" --reason typo --operator Jo --db a.db", 0,
              "counts for 'Wool Twill' now", "");
  const cb_friction_law joined = fitted("a.db", "Wool Twill");
  assert_same_law(&joined, &right);
  clit_run("db ls --db a.db", 0);
  assert_null(strstr(clit_last.out, "Wool Twil\n"));
  clit_expect("db unalias \"Wool Twil\" --reason \"they are two\" --db a.db", 0, "stands for itself again",
              "");
  const cb_friction_law again = fitted("a.db", "Wool Twill");
  assert_same_law(&again, &apart);
}

static void a_run_of_another_cloth_moves(void **state) {
  (void)state;
  import_more("a.db", SOUND "Wool Twill,Steel,0,4,0.9\nSatin,Steel,0,4,0.4\n", "", 0);
  import_more("b.db", SOUND, "", 0);
  const cb_friction_law right = fitted("b.db", "Wool Twill");
  clit_run("db amend 8 --set cloth=Satin --reason \"wrong sheet on the sled\" --db a.db", 0);
  const cb_friction_law amended = fitted("a.db", "Wool Twill");
  assert_same_law(&amended, &right);
  clit_expect("db corrections --db a.db", 0, "cloth Wool Twill -> Satin: wrong sheet", "");
}

static void a_renamed_cloth_is_found_by_both_names(void **state) {
  (void)state;
  import_more("a.db", SOUND, "", 0);
  (void)fitted("a.db", "Wool Twill");
  clit_expect("db rename \"Wool Twill\" \"Serge 12\" --reason \"as on the label\" --db a.db", 0,
              "is called 'Serge 12' now", "");
  clit_expect("db show \"Serge 12\" --db a.db", 0, "Serge 12", "");
  clit_expect("db show \"Wool Twill\" --db a.db", 0, "Serge 12", "");
  clit_run("predict friction --cloth \"Wool Twill\" --body Steel --angle-deg 0 --normal-force-N 4 --db a.db",
           0);
  import_more("a.db", "Wool Twill,Steel,90,2,0.4299\n", "", 0);
  clit_expect("db ls --db a.db", 0, "Serge 12", "");
  assert_null(strstr(clit_last.out, "Wool Twill"));
  clit_run("db alias \"the blue one\" \"Serge 12\" --reason \"so it is called\" --db a.db", 0);
  clit_expect("db show \"the blue one\" --db a.db", 0, "Serge 12", "");
  clit_run("db rename \"Serge 12\" \"Wool Twill\" --reason \"label was wrong\" --db a.db", 0);
  clit_expect("db ls --db a.db", 0, "Wool Twill", "");
}

static void names_are_merged(void **state) {
  (void)state;
  import_more("a.db", SOUND, "", 0);
  clit_run("db backup b.db --db a.db", 0);
  clit_run("db rename \"Wool Twill\" \"Serge 12\" --reason label --db b.db", 0);
  clit_run("db amend 3 --set angle_deg=30 --reason there --db b.db", 0);
  clit_run("db merge b.db --db a.db", 0);
  clit_run("db merge b.db --db a.db", 0);
  clit_expect("db ls --db a.db", 0, "Serge 12", "");
  json_t *doc = clit_json("db corrections --db a.db --json", 0, "db corrections");
  assert_int_equal(json_array_size(json_object_get(doc, "corrections")), 1);
  json_decref(doc);
}

/* Questions count what is meant, not what was typed. */
static void questions_follow_corrections(void **state) {
  (void)state;
  import_more("a.db", SOUND "Satin,Steel,0,4,0.4\n", "", 0);
  json_t *doc = clit_json("db query 'mu > 0 of \"Wool Twill\"' --db a.db --json", 0, "db query");
  assert_int_equal(json_array_size(json_object_get(doc, "rows")), 6);
  json_decref(doc);
  clit_run("db void 1 7 --reason bumped --db a.db", 0);
  clit_run("db amend 2 --set angle_deg=30 --reason sheet --db a.db", 0);
  clit_run("db rename \"Wool Twill\" \"Serge 12\" --reason label --db a.db", 0);
  clit_expect("db query 'of \"Wool Twill\" at 30 deg' --db a.db", 0, "Serge 12  Steel  kinetic         30",
              "");
  clit_expect("db query 'of \"Serge 12\" at 1 N at 0 deg' --db a.db", 0, "0 rows", "");
  clit_expect("db query 'SELECT count(*) FROM v_run WHERE status = \"voided\"' --db a.db", 0, "2", "");
}

/* To the rounding of sums in another order; rows of the same mean may change places. */
static void compare_rows(const json_t *a, const json_t *b) {
  assert_int_equal(json_array_size(a), json_array_size(b));
  for (size_t i = 0; i < json_array_size(a); i++) {
    bool found = false;
    for (size_t j = 0; j < json_array_size(b) && !found; j++) {
      found = true;
      for (size_t k = 0; k < 8; k++) {
        const json_t *x = json_array_get(json_array_get(a, i), k),
                     *y = json_array_get(json_array_get(b, j), k);
        found = found && (json_is_number(x) ? fabs(json_number_value(x) - json_number_value(y)) < 1e-7
                                            : json_equal(x, y));
      }
    }
    if (!found) fail_msg("row %zu: %s", i, json_dumps(json_array_get(a, i), 0));
  }
}

/* Means of what was measured alike are those of the points, row by row, whatever was said of runs. */
static void means_follow_corrections(void **state) {
  (void)state;
  import_more("a.db", SOUND SOUND "Satin,Steel,0,4,0.4\n", "", 0);
  clit_run("db void 1 --reason bumped --db a.db", 0);
  clit_run("db amend 3 --set angle_deg=30 --reason sheet --db a.db", 0);
  clit_run("db amend 2 --set normal_force_N=1.5 --reason sheet --db a.db", 0);
  clit_run("db amend 4 --set cloth=Satin --reason mixed --db a.db", 0);
  clit_run("db alias Satin 'Wool Twill' --reason same --db a.db", 0);
  clit_expect(
      "db query 'SELECT count(*) AS rows, sum(p.n = m.n_runs) AS n, sum(abs(p.mu - m.mu) < 1e-12) AS"
      " mean, sum(abs(ifnull(sqrt(p.n * (p.square - p.mu * p.mu) / nullif(p.n - 1, 0)), -1) -"
      " ifnull(m.sd_mu, -1)) < 1e-6) AS sd, max(p.n) AS most FROM (SELECT cloth, body, angle_deg,"
      " round(normal_force_N, 4) AS load, count(*) AS n, avg(abs(mu_kinetic)) AS mu,"
      " avg(mu_kinetic * mu_kinetic) AS square FROM v_point WHERE status = \"done\" GROUP BY 1, 2, 3, 4)"
      " p JOIN v_mu m ON m.kind = \"kinetic\" AND m.cloth = p.cloth AND m.body = p.body AND"
      " m.angle_deg = p.angle_deg AND m.normal_force_N = p.load' --db a.db",
      0, "8  8     8   8     3", "");
  /* Questions in words have a quicker way to the same means. */
  static const char *const asked[][2] = {
      {"mu > 0", "mu > 0"},
      {"mu > 0.2 load >= 1.5 angle < 45 imported",
       "mu > 0.2 AND normal_force_N >= 1.5 AND angle_deg < 45 AND origin = 'imported'"},
      {"load between 1.4999 and 1.5001 on Steel",
       "normal_force_N BETWEEN 1.4999 AND 1.5001 AND body = 'Steel'"},
      {"of Satin kinetic", "cloth = 'Wool Twill' AND kind = 'kinetic'"},
      {"mu < 0.5 on Steel of 'Wool Twill' at 30 deg",
       "mu < 0.5 AND body = 'Steel' AND cloth = 'Wool Twill' AND angle_deg BETWEEN 29.5 AND 30.5"}};
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
    char words[300], sql[600];
    (void)snprintf(words, sizeof words, "db query \"%s sorted\" --db a.db --json", asked[i][0]);
    (void)snprintf(sql, sizeof sql,
                   "db query \"SELECT cloth, body, kind, angle_deg, normal_force_N, mu, sd_mu, n_runs FROM "
                   "v_mu WHERE %s ORDER BY mu\" --db a.db --json",
                   asked[i][1]);
    json_t *quick = clit_json(words, 0, "db query"), *view = clit_json(sql, 0, "db query");
    assert_true(json_array_size(json_object_get(view, "rows")) > 0);
    compare_rows(json_object_get(quick, "rows"), json_object_get(view, "rows"));
    json_decref(quick);
    json_decref(view);
  }
}

/* After voids, amendments, renames and aliases: as many as law by law. */
static void laws_grow_old_by_what_is_said(void **state) {
  (void)state;
  static const char *const said[] = {"db void 1 --reason r",
                                     "db unvoid 1 --reason r",
                                     "db amend 2 --set angle_deg=30 --reason r",
                                     "db amend 7 --set cloth='Wool Twill' --reason r",
                                     "db rename 'Wool Twill' Serge --reason r",
                                     "db alias Satin Serge --reason r",
                                     "fit friction --cloth Serge --body Steel",
                                     "db void 3 --reason r"};
  char path[400], args[200];
  size_t n, old = 0;
  import_more("a.db", SOUND "Satin,Steel,0,4,0.4\n", "", 0);
  clit_run("fit friction --cloth 'Wool Twill' --body Steel --db a.db", 0);
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
    cb_store *s;
    cb_friction_law *list;
    (void)snprintf(args, sizeof args, "%s --db a.db", said[i]);
    clit_run(args, 0);
    assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
    assert_ok(cb_store_laws(s, &list, &n, err));
    for (size_t k = 0; k < n; k++) old += store_law_stale(s, &list[k]) > 0;
    free(list);
    assert_ok(cb_store_close(s, err));
  }
  assert_true(old >= 5);
}

static void materials_are_asked_for(void **state) {
  (void)state;
  import_more("a.db", SOUND "Satin,Steel,0,4,0.4\n", "", 0);
  clit_expect("db query 'cloths without bending, runs between 1 and 5' --db a.db", 0, "Satin", "");
  clit_expect("db query 'cloths named TWILL with runs' --db a.db", 0, "1 row\n", "");
  clit_expect("db query 'cloths with bending and stretch' --db a.db", 0, "0 rows\n", "");
  clit_expect("db query 'bodies without friction first 3' --db a.db", 0, "Steel", "");
  clit_run("fit friction --cloth 'Wool Twill' --body Steel --db a.db", 0);
  clit_expect("db query 'cloths with friction' --db a.db", 0, "Wool Twill", "");
  clit_expect("db query 'bodies with friction' --db a.db", 0, "Steel", "");
  clit_expect("db query 'mu > 0 of twill on teel sorted first 1' --db a.db", 0, "Wool Twill  Steel", "");
  clit_expect("db query 'cloths stretch weft missing, bending missing, imported' --db a.db", 0, "2 rows\n",
              "");
  clit_expect("db query 'cloths air < 50 mm/s sorted by air down' --db a.db", 0,
              "air_mm_per_s  u_air_mm_per_s", "");
}

static void runs_and_laws_are_asked_for(void **state) {
  (void)state;
  import_more("a.db", SOUND "Satin,Steel,0,4,0.4\n", "", 0);
  clit_run("db void 1 --reason bumped --db a.db", 0);
  clit_run("fit friction --cloth 'Wool Twill' --body Steel --db a.db", 0);
  clit_expect("db query 'runs voided' --db a.db", 0, "1 row\n", "");
  clit_expect("db query 'runs of satin on steel load between 1 and 5 N' --db a.db", 0, "1 row\n", "");
  clit_expect("db query 'runs imported done since 2020-01-01 sorted by load down first 2' --db a.db", 0,
              "2 rows\n", "");
  clit_expect("db query 'runs before 2020-01-01' --db a.db", 0, "0 rows\n", "");
  clit_expect("db query 'runs lot none' --db a.db", 0, "0 rows\n", "");
  clit_expect("db query 'laws of twill on steel kinetic' --db a.db", 0,
              "F1   friction  kinetic  Wool Twill  Steel", "");
  clit_expect("db query 'laws bending or' --db a.db", 2, "", "'or' in a question of laws");
  clit_expect("db query 'laws of steel' --db a.db", 0, "0 rows\n", "");
}

#define TEN " with air with air with air with air with air with air with air with air with air with air"

static void questions_that_make_no_sense_are_refused(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"mu", "'' after mu: <, <=, >"},
      {"mu < few", "mu 'few': a number was wanted"},
      {"mu =< 1", "'=<' after mu"},
      {"at 1", "'' after 'at 1': N or deg was wanted"},
      {"at 1 kg", "'kg' after 'at 1': N or deg was wanted"},
      {"on", "body: a name was wanted"},
      {"on Stel", "no body named 'Stel'; did you mean 'Steel'?"},
      {"on \\\"Steel", "a closing quotation mark was wanted"},
      {"since yesterday", "since 'yesterday': a date such as"},
      {"first none", "first 'none': a number from 1"},
      {"sorte", "'sorte' in a question of pulls: did you mean 'sorted'?"},
      {"mu between 1 2", "'2' after between 1: and was wanted"},
      {"cloths without bendng", "'bendng' in a question of cloths: did you mean 'bending'?"},
      {"cloths with", "'' in a question of cloths: friction, stretch, bending, shear, air"},
      {"cloths mass", "'' after areal_density_g_per_m2: <, <="},
      {"cloths areal mass < 1", "'mass' after areal: density was wanted"},
      {"cloths bending 5", "'5' after bending_warp_uNm: <, <=, >, >=, =, !=, between or missing was wanted"},
      {"cloths stretch weft < few", "stretch_weft_N_per_m 'few': a number was wanted"},
      {"cloths mass < 100 mm", "'mm' in a question of cloths"},
      {"cloths since 2026-01-01", "'since' in a question of cloths"},
      {"runs mu < 1", "'mu' in a question of runs: load, angle, speed, of, on"},
      {"laws bendin", "'bendin' in a question of laws: did you mean 'bending'?"},
      {"runs before noon", "before 'noon': a date such as"},
      {"bodies on Steel", "'on' in a question of bodies"},
      {"cloths named", "named: a part of a name"},
      {"cloths sorted by mu", "'mu' in a question of cloths"},
      {"cloths" TEN TEN TEN, "the question is too long"},
      {"of t", "'t': one of Satin, Wool Twill was wanted"},
      {"SELECT 1; DELETE FROM run", "one statement that only reads"},
      {"WITH x AS (SELECT 1) DELETE FROM run", "one statement that only reads"},
      {"DROP TABLE run", "'DROP' in a question of pulls: mu, load, angle"},
      {"SELECT * FROM nowhere", "no such table: nowhere"}};
  import_more("a.db", SOUND "Satin,Steel,0,4,0.4\n", "", 0);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char words[500];
    (void)snprintf(words, sizeof words, "db query \"%s\" --db a.db", wrong[i][0]);
    static cbt_result r;
    cbt_run(&r, cbt_folder, words);
    if ((r.code != 1 && r.code != 2) || !strstr(r.err, wrong[i][1]))
      fail_msg("%s: %d, %s", words, r.code, r.err);
  }
  clit_expect("db query '' --db a.db", 2, "", "a question such as");
  clit_expect("db check --db a.db", 0, "whole", "");
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  import_more("a.db", SOUND "Satin,Steel,0,4,0.4\n", "", 0);
  clit_expect("db amend 1 --reason x --db a.db", 2, "", "--set FIELD=VALUE");
  clit_expect("db amend 1 --set angle=90 --reason x --db a.db", 2, "",
              "FIELD one of: cloth, body, angle_deg");
  clit_expect("db amend 1 --set angle_deg=ninety --reason x --db a.db", 1, "", "ninety");
  clit_expect("db amend 1 --set normal_force_N=-1 --reason x --db a.db", 1, "", "must be above 0");
  clit_expect("db amend 1 --set cloth=Serge --reason x --db a.db", 1, "", "no cloth named 'Serge'");
  clit_expect("db void 1 --set angle_deg=90 --reason x --db a.db", 2, "", "belongs to amend");
  clit_expect("db rename Satin \"Wool Twill\" --reason x --db a.db", 1, "", "is another cloth: 'db alias'");
  clit_expect("db rename Satin --reason x --db a.db", 2, "", "rename OLD NEW");
  clit_expect("db rename Satin Sateen --db a.db", 2, "", "--reason TEXT");
  clit_expect("db alias Satin Satin --reason x --db a.db", 1, "", "means the cloth 'Satin' already");
  clit_expect("db unalias Satin --reason x --db a.db", 1, "", "was joined with another one");
  clit_expect("db rename \"\" Sateen --reason x --db a.db", 1, "", "no cloth named ''");
  clit_expect("db corrections --db a.db", 0, "no corrections", "");
}

static void slips_are_told_from_other_names(void **state) {
  (void)state;
  const char *const slips[][2] = {{"Wool Twill Nr. 7", "Wool Twil Nr. 7"}, {"Wool Twill", "wool-twill"},
                                  {"Polyester (a)", "Polyster (a)"},       {"Plastic Foam", "Plastic Faom"},
                                  {"Denim 12 oz", "denim 12oz"},           {"Sheepskin", "Sheepskim"}};
  const char *const others[][2] = {{"Wool Twill Nr. 7", "Wool Twill Nr. 8"},
                                   {"Cotton A", "Cotton B"},
                                   {"Cotton twill", "Cotton drill"},
                                   {"Serge", "Surge"},
                                   {"M1", "M2"},
                                   {"Silk", "Wool"}};
  for (size_t i = 0; i < 6; i++) {
    if (!cb_names_alike(slips[i][0], slips[i][1])) fail_msg("%s, %s", slips[i][0], slips[i][1]);
    if (cb_names_alike(others[i][0], others[i][1])) fail_msg("%s, %s", others[i][0], others[i][1]);
  }
}

/* ---- parts of names ---- */

#define PAIRS                                                                                            \
  "c,b,deg,N,F\nSerge 12,Steel,0,1,0.2\nSerge 21 wide,Steel,0,1,0.2\nCotton knit,Plastic Foam,0,1,0.2\n" \
  "Cotton,Plastic Foam,0,1,0.2\nCotton knit,Steel,0,1,0.3\n"
#define MEAN " --angle-deg 0 --normal-force-N 1 --db a.db"

/* Another case, or the only name with that in it; the exact name is no part of another one. */
static void questions_take_parts_of_names(void **state) {
  (void)state;
  clit_put("m.yaml",
           "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"
           "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n"
           "  force: {column: F, unit: N}\n");
  clit_put("p.csv", PAIRS);
  clit_run("import friction --mapping m.yaml p.csv --new --db a.db", 0);
  clit_expect("db show \"cotton KNIT\" --db a.db", 0, "cloth Cotton knit\n",
              "'cotton KNIT' is taken for 'Cotton knit'\n");
  clit_expect("db show wide --db a.db", 0, "cloth Serge 21 wide\n", "'wide' is taken for 'Serge 21 wide'\n");
  clit_expect("db show foam --db a.db", 0, "body Plastic Foam\n", "'foam' is taken for 'Plastic Foam'\n");
  clit_run("db show Cotton --db a.db", 0);
  assert_string_equal(clit_last.err, "");
  clit_expect("db show Cotton --db a.db", 0, "cloth Cotton\n", "");
  clit_expect("db show serge --db a.db", 2, "",
              "'serge' may be 'Serge 12', 'Serge 21 wide': more of the name was wanted\n");
  clit_expect("db missing knit --db a.db", 0, "Cotton knit: ", "'knit' is taken for 'Cotton knit'\n");
  clit_expect("predict friction --cloth knit --body ste" MEAN, 0, "Cotton knit on Steel",
              "'ste' is taken for 'Steel'\n");
  clit_expect("predict friction --cloth serge --body Steel" MEAN, 2, "",
              "may be 'Serge 12', 'Serge 21 wide'");
  clit_expect("db show wi --db a.db", 1, "", "no cloth named 'wi'"); /* two letters say little */
  clit_expect("db show 1 --db a.db", 0, "campaign 1", "");
}

/* What makes or changes something takes names as they are. */
static void changes_take_whole_names(void **state) {
  (void)state;
  clit_run("material set \"Cotton knit\" --areal-mass-g-m2 200 --source us --db a.db", 0);
  clit_expect("db rename knit Other --reason r --operator Mia --db a.db", 1, "", "no cloth named 'knit'");
  clit_expect("db alias Other knit --reason r --operator Mia --db a.db", 1, "", "no cloth named 'knit'");
  clit_run("db specimen add S1 --cloth knit --operator Mia --db a.db", 0); /* of a cloth that is called so */
  clit_expect("db show knit --db a.db", 0, "cloth knit\n", "");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(an_amended_angle_makes_the_law_of_that_angle),
                                     T(a_law_of_amended_runs_is_stale),
                                     T(slips_are_told_at_once),
                                     T(a_cloth_typed_wrongly_joins_the_one_meant),
                                     T(a_run_of_another_cloth_moves),
                                     T(a_renamed_cloth_is_found_by_both_names),
                                     T(names_are_merged),
                                     T(questions_take_parts_of_names),
                                     T(changes_take_whole_names),
                                     T(questions_follow_corrections),
                                     T(means_follow_corrections),
                                     T(laws_grow_old_by_what_is_said),
                                     T(materials_are_asked_for),
                                     T(runs_and_laws_are_asked_for),
                                     T(questions_that_make_no_sense_are_refused),
                                     T(what_makes_no_sense_is_refused),
                                     cmocka_unit_test(slips_are_told_from_other_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
