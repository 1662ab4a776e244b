/* The same day in English, German and Chinese, at a terminal of 80 columns: from an empty folder to a law and
 * a certificate. What is written for machines is the same in all, to the last byte. */
#include "dialoguetest.h"

#include "cb_language.h"
#include "report_site.h"

#define N_LANGUAGES 3

typedef struct language {
  const char *name; /* of LANGUAGE */
  const char *virtual, *yes;
  const char *kind, *cloth, *masses, *repeats, *run_now;         /* what is asked */
  const char *help;                                              /* of the loads */
  const char *title, *friction, *coefficient, *limits, *verdict; /* of the certificate */
  const char *events;                                            /* of the report */
} language;

static const language languages[N_LANGUAGES] = {
    {"en", "virtual", "y", "(real | virtual) (Enter: real): ", "Cloth that is measured: ",
     "Weights put on the cart, one load each [g] (Enter: 50, 100, 200, 500): ",
     "Repeats of every direction and load (Enter: 3): ", "Run it now (yes | no) (Enter: yes): ",
     "Four loads tell how friction depends on the load", "Certificate of friction", ">kinetic<", ">0.5",
     "0.1 to 0.9", ">pass<", "<h2>Events</h2>"},
    {"de", "virtuell", "j", "(echt | virtuell) (Enter: echt): ", "Zu prüfender Stoff: ",
     "Gewichte auf dem Wagen, eines je Last [g] (Enter: 50, 100, 200, 500): ",
     "Wiederholungen je Richtung und Last (Enter: 3): ", "Jetzt messen (ja | nein) (Enter: ja): ",
     "Vier Lasten zeigen, wie die Reibung von der Last abhängt", "Prüfzeugnis Reibung", ">Gleitreibung<",
     ">0,5", "0,1 bis 0,9", ">erfüllt<", "<h2>Ereignisse</h2>"},
    {"zh_CN", "虚拟", "是", "(真实 | 虚拟) （Enter：真实）: ", "被测织物: ",
     "放在小车上的砝码，每个载荷一个值 [g] （Enter：50, 100, 200, 500）: ",
     "每个方向和载荷的重复次数 （Enter：3）: ", "现在开始试验 (是 | 否) （Enter：是）: ",
     "四个载荷可看出摩擦随载荷的变化", "摩擦性能检测证书", ">动摩擦<", ">0.5", "0.1 至 0.9", ">合格<",
     "<h2>事件</h2>"},
};

static void speak(const char *name) {
  assert_int_equal(setenv("LC_ALL", "C.UTF-8", 1), 0);
  assert_int_equal(setenv("LANGUAGE", name, 1), 0);
}

static bool has(const char *file, const char *text) {
  char path[400], *whole = cbt_read(cbt_path(file, path));
  const bool found = strstr(whole, text) != NULL;
  free(whole);
  return found;
}

/* ---- the day ---- */

static void make_rig(const language *l) {
  begin((const char *const[]){"rig", "init", "bench.yaml", NULL});
  answer(l->kind, l->virtual);
  end(0);
}

static void measure(const language *l) {
  begin((const char *const[]){"run", "init", "wool.yaml", "--db", "lab.db", NULL});
  answer(": ", "bench.yaml");
  answer(l->cloth, "Demo Twill");
  answer(": ", "Demo Foam");
  answer(": ", "");
  answer(": ", "");
  answer(l->masses, "?");
  await(l->help);
  answer(l->masses, "50; 200");
  answer(": ", "");
  answer(": ", "");
  answer(l->repeats, "2");
  answer(": ", "");
  answer(": ", "");
  answer(": ", "0,5"); /* the rest before each pull [s] */
  answer(": ", "Ada");
  answer(l->run_now, l->yes);
  await("campaign 1 'wool': 24 runs in");
  end(0);
}

static void certify(const language *l) {
  clit_put("spec.yaml",
           "certificate: {laboratory: Mill, number: 7}\nspec:\n"
           "  - {kind: kinetic, angle_deg: 0, normal_force_N: 2.1, at_least: 0.1, at_most: 0.9}\n");
  clit_run("chart --cloth 'Demo Twill' --body 'Demo Foam' --db lab.db --spec spec.yaml --certificate c.svg",
           0);
  const char *const wanted[] = {l->title, l->friction, l->coefficient, l->limits, l->verdict};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    if (!has("c.svg", wanted[i])) fail_msg("%s: no '%s' in the certificate", l->name, wanted[i]);
}

static void a_day(void **state) {
  const language *l = *state;
  speak(l->name);
  make_rig(l);
  measure(l);
  clit_expect("fit friction --db lab.db", 0, "Demo Twill on Demo Foam", "");
  certify(l);
  clit_run("report --campaign 1 --db lab.db --out report", 0);
  assert_true(has("report/campaign-1-wool.html", l->events));
  /* Files keep their words and their point. */
  char *campaign = clit_get("wool.yaml");
  assert_string_equal(
      campaign,
      "# Written by 'clothbench run init'.\nname: \"wool\"\nkind: friction\ncloth: \"Demo Twill\"\n"
      "body: \"Demo Foam\"\npreset: custom\nangles_deg: [0, 45, 90]\nadded_masses_g: [50, 200]\n"
      "directions: both\nrepeats: 2\nspeed_mm_per_s: 10\ntravel_mm: 30\nzero_s: 0.5\n"
      "operator: \"Ada\"\n");
  free(campaign);
}

/* ---- what is for machines ---- */

/* All that these commands print, and the files that they write. */
static char *print_all(void) {
#define PAIR "--cloth Serge --body Steel --db lab.db "
  static const char *const words[] = {"predict friction " PAIR "--angle-deg 30 --normal-force-N 2 --json",
                                      "chart " PAIR "--json",
                                      "db query --db lab.db 'mu > 0.01'",
                                      "db ls --db lab.db",
                                      "db show Serge --db lab.db --json",
                                      "run wool.yaml --rig bench.yaml --dry-run --json",
                                      "export points --db lab.db --out points.csv",
                                      "export material Serge --format json --db lab.db --out serge.json"};
  static const char *const files[] = {"points.csv", "serge.json"};
  size_t n = 0;
  char *all = calloc(1, 1 << 20);
  assert_non_null(all);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    cbt_result r;
    cbt_run(&r, cbt_folder, words[i]);
    if (r.code != 0) fail_msg("%s: %s", words[i], r.err);
    n += (size_t)snprintf(all + n, (1 << 20) - n, "%s\n%s", words[i], r.out);
  }
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[400], *text = clit_get(files[i]);
    n += (size_t)snprintf(all + n, (1 << 20) - n, "%s\n%s", files[i], text);
    free(text);
    assert_int_equal(unlink(cbt_path(files[i], path)), 0);
  }
  return all;
}

static void fill_folder(void) {
  char *rig = cbt_read(CB_SOURCE_DIR "/rigs/virtual.yaml");
  clit_put("bench.yaml", rig);
  free(rig);
  clit_put("wool.yaml",
           "name: wool\nkind: friction\ncloth: Serge\nbody: Steel\nangles_deg: [0, 90]\nadded_masses_g: [50, "
           "200]\n"
           "directions: both\nrepeats: 2\nspeed_mm_per_s: 2.5\ntravel_mm: 15.5\nzero_s: 0.5\n");
  clit_run("run wool.yaml --rig bench.yaml --db lab.db --new --yes", 0);
  clit_run("fit friction --db lab.db", 0);
}

static const char *no_value(const void *context, const char *key) {
  (void)context, (void)key;
  return NULL;
}

static void machines_read_the_same(void **state) {
  (void)state;
  speak("en");
  fill_folder();
  char *english = print_all();
  assert_non_null(strstr(english, "\"angle_deg\": 30.0"));
  for (size_t i = 1; i < N_LANGUAGES; i++) {
    speak(languages[i].name);
    char *other = print_all();
    assert_string_equal(other, english);
    free(other);
  }
  free(english);
}

/* What `devices` says of a port, and the first page and a list of `serve`, where there is nothing. */
static void ports_and_pages(void **state) {
  static const struct {
    const char *name, *in_use, *campaigns, *none, *list;
  } cases[] = {
      {"en", "    in use by ", ">Newest campaigns<", "There are no campaigns: ", "<h1>Cloths</h1>"},
      {"de", "    benutzt von ", ">Neueste Messreihen<", "Es gibt keine Messreihen: ", "<h1>Stoffe</h1>"},
      {"zh_CN", "    正被 ", ">最新批次<", "没有批次：", "<h1>织物</h1>"}};
  char words[100], path[400];
  cb_store *s;
  dt_pty port;
  (void)state;
  dt_pty_open(&port);
  clit_run("db init --db empty.db", 0);
  assert_ok(cb_store_open(cbt_path("empty.db", path), CB_STORE_READ, &s, err));
  (void)snprintf(words, sizeof words, "devices %s", port.name);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    report_site_answer page;
    speak(cases[i].name);
    clit_expect(words, 0, cases[i].in_use, "");
    cb_language_begin(CB_BUILD_DIR "/share/locale");
    assert_ok(
        report_site_page(s, &(report_site_query){.path = "/", .secret = "", .value = no_value}, &page, err));
    if (!strstr(page.text, cases[i].campaigns) || !strstr(page.text, cases[i].none))
      fail_msg("%s", page.text);
    free(page.text);
    assert_ok(report_site_page(
        s, &(report_site_query){.path = "/cloths.html", .secret = "", .value = no_value}, &page, err));
    if (!strstr(page.text, cases[i].list)) fail_msg("%s", page.text);
    free(page.text);
  }
  assert_ok(cb_store_close(s, err));
  dt_pty_close(&port);
}

/* A real locale of Germany, whose decimal sign is a comma: made here, as not every machine has it. */
static void a_locale_with_a_comma(void **state) {
  char words[900];
  (void)state;
  (void)snprintf(words, sizeof words, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' 2>/dev/null", cbt_folder);
  if (system(words) > 1 << 8) { /* 1: with warnings */
    print_message("no localedef or no sources of locales (Debian: locales): not tested\n");
    skip();
  }
  speak("en");
  fill_folder();
  char *english = print_all();
  assert_int_equal(setenv("LOCPATH", cbt_folder, 1), 0);
  assert_int_equal(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
  assert_int_equal(unsetenv("LANGUAGE"), 0);
  char *german = print_all();
  assert_string_equal(german, english);
  clit_expect("run no.yaml --rig bench.yaml", 1, "", "No such file or directory"); /* errors are English */
  begin((const char *const[]){"rig", "init", "new.yaml", NULL});
  answer("(echt | virtuell) (Enter: echt): ", "v");
  end(0);
  assert_int_equal(unsetenv("LOCPATH"), 0);
  free(english);
  free(german);
}

/* Where the system has no such locale, its name is enough. No language at all is English, as C.UTF-8 is. */
static void a_name_is_enough(void **state) {
  static const struct {
    const char *variable, *value, *asked;
  } cases[] = {{"LANG", "de_DE.UTF-8", "(echt | virtuell)"},    {"LANG", "de_AT", "(echt | virtuell)"},
               {"LC_MESSAGES", "zh_CN.UTF-8", "(真实 | 虚拟)"}, {"LC_ALL", "C.UTF-8", "(real | virtual)"},
               {"LANG", "fr_FR.UTF-8", "(real | virtual)"},     {"LANGUAGE", "de", "(real | virtual)"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"};
    for (size_t k = 0; k < 4; k++) assert_int_equal(unsetenv(names[k]), 0);
    assert_int_equal(setenv(cases[i].variable, cases[i].value, 1), 0);
    begin((const char *const[]){"rig", "init", "bench.yaml", NULL});
    answer(cases[i].asked, "q");
    end(1);
  }
}

static int tear_down(void **state) {
  assert_int_equal(setenv("LC_ALL", "C.UTF-8", 1), 0);
  assert_int_equal(setenv("LANGUAGE", "en", 1), 0);
  return cbt_folder_tear_down(state);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, tear_down)
#define DAY(k) \
  { "a_day_in_" #k, a_day, cbt_folder_set_up, tear_down, (void *)(uintptr_t)&languages[k] }
  const struct CMUnitTest tests[] = {DAY(0),
                                     DAY(1),
                                     DAY(2),
                                     T(machines_read_the_same),
                                     T(a_locale_with_a_comma),
                                     T(a_name_is_enough),
                                     T(ports_and_pages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
