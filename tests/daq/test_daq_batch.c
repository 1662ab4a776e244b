/* Batches: every pair once, in an order that needs the fewest steps by hand; what the lists may not be. */
#include "cbtest.h"

#include "daq_batch.h"

#define REST                                                                                            \
  "angles_deg: [0, 45, 90]\nadded_masses_g: [10, 50, 100, 200]\nrepeats: 2\norder: cells\ndirections: " \
  "both\n"                                                                                              \
  "speed_mm_per_s: 10\ntravel_mm: 25\nzero_s: 1\n"
#define HEAD "name: a\nkind: friction\n"

static cb_rig a_rig(void) {
  return (cb_rig){.stage = {.limit_max_m = 0.1, .start_m = 0.02, .max_speed_m_per_s = 0.05},
                  .force = {.rate_Hz = 200, .overload_N = 8},
                  .bench = {.link_slack_m = 0.002, .link_stiffness_N_per_m = 500}};
}

static cb_status load(const char *text, daq_batch *b, cb_err *err) {
  char path[400];
  cb_rig rig = a_rig();
  cbt_write(cbt_path("batch.yaml", path), text);
  return daq_batch_load(path, &rig, b, err);
}

static void every_pair_comes_once(void **state) {
  (void)state;
  daq_batch b;
  assert_ok(load(HEAD "cloths: [Twill, Satin, {name: Satin, lot: B}]\n"
                      "bodies: [Foam, Steel, Wood]\n" REST,
                 &b, err));
  assert_int_equal(b.n, 9);
  for (size_t i = 0; i < b.n; i++) {
    const daq_campaign *c = &b.campaigns[i];
    for (size_t k = 0; k < i; k++) {
      const daq_campaign *o = &b.campaigns[k];
      assert_true(strcmp(c->text, o->text) != 0); /* an unfinished one is found by it */
      assert_false(strcmp(c->cloth, o->cloth) == 0 && strcmp(c->body, o->body) == 0 &&
                   strcmp(c->conditions.cloth_lot, o->conditions.cloth_lot) == 0);
    }
    if (i == 0) continue;
    const daq_campaign *o = &b.campaigns[i - 1];
    const bool cloth =
        strcmp(c->cloth, o->cloth) != 0 || strcmp(c->conditions.cloth_lot, o->conditions.cloth_lot) != 0;
    assert_true(cloth != (strcmp(c->body, o->body) != 0)); /* one of both, never both */
  }
  daq_batch_clear(&b);
}

/* Each sample meets every load as often as its campaign says; a new sample begins with the weights of the
 * last. */
static void loads_come_to_and_fro(void **state) {
  (void)state;
  daq_batch b;
  double last = NAN;
  assert_ok(load(HEAD "cloths: [Twill, Satin]\nbody: Foam\n" REST, &b, err));
  assert_int_equal(b.n, 2);
  for (size_t i = 0; i < b.n; i++) {
    const daq_campaign *c = &b.campaigns[i];
    int met[3][4] = {{0}};
    assert_int_equal(daq_campaign_cells(c), 48);
    for (size_t k = 0; k < 48; k++) {
      const daq_cell cell = daq_campaign_cell(c, k);
      if (k % 16 == 0 && (i > 0 || k > 0)) assert_near(cell.added_mass_kg, last, 0);
      last = cell.added_mass_kg;
      for (int load = 0; load < 4; load++)
        met[(int)(cell.angle_deg / 45)][load] += cell.added_mass_kg == c->added_masses_kg.v[load];
    }
    for (int place = 0; place < 12; place++) assert_int_equal(met[place / 4][place % 4], 4);
  }
  daq_batch_clear(&b);
}

/* A campaign that goes there and back ends where it began, so that the next sample begins with the same
 * weights, too. */
static void there_and_back(void **state) {
  (void)state;
  static const struct {
    const char *order;
    size_t turns, weights;
  } wanted[] = {{"order: passes", 2 * 4, 1 + 2 * 2 * 3 * 3}, {"order: return", 2 * 4, 1 + 2 * (3 * 3 + 3)}};
  for (int i = 0; i < 2; i++) {
    daq_batch b;
    daq_handling ordered, plain;
    const char *const order[][2] = {{"order: cells", wanted[i].order}};
    char *text = cbt_replace(HEAD "cloths: [Twill, Satin]\nbody: Foam\n" REST, order, 1);
    assert_ok(load(text, &b, err));
    daq_batch_handling(&b, &ordered, &plain);
    assert_int_equal(ordered.turns, wanted[i].turns);
    assert_int_equal(ordered.weights, wanted[i].weights);
    assert_near(daq_campaign_cell(&b.campaigns[0], 47).added_mass_kg,
                daq_campaign_cell(&b.campaigns[1], 0).added_mass_kg, 0);
    daq_batch_clear(&b);
    free(text);
  }
}

/* Every place (sample, angle, load) needs one step by hand at least. */
static void the_order_needs_the_fewest_steps(void **state) {
  (void)state;
  char text[4000] = HEAD "cloths: [F0";
  for (int i = 1; i < 40; i++) (void)snprintf(text + strlen(text), 16, ", F%d", i);
  (void)snprintf(text + strlen(text), 600, "]\nbody: Foam\n" REST);
  daq_batch b;
  daq_handling ordered, plain;
  assert_ok(load(text, &b, err));
  daq_batch_handling(&b, &ordered, &plain);
  assert_int_equal(ordered.runs, 40 * 48);
  assert_int_equal(ordered.cloths, 40);
  assert_int_equal(ordered.turns, 80);
  assert_int_equal(ordered.cloths + ordered.turns + ordered.weights, 40 * 12 + 1); /* and the first weights */
  assert_int_equal(ordered.bodies, 1);
  assert_int_equal(plain.cloths, 40);
  assert_int_equal(plain.weights, 40 * 12);
  daq_batch_clear(&b);
}

static void a_file_of_one_pair_is_a_batch_of_one(void **state) {
  (void)state;
  daq_batch b;
  assert_ok(load(HEAD "cloth: Twill\nbody: Foam\n" REST, &b, err));
  assert_int_equal(b.n, 1);
  assert_string_equal(b.campaigns[0].text, HEAD "cloth: Twill\nbody: Foam\n" REST);
  assert_near(daq_campaign_cell(b.campaigns, 16).added_mass_kg, 0.01, 1e-15); /* as ever: loads rise */
  daq_batch_clear(&b);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *lists, *says;
  } wrong[] = {
      {"cloths: []\nbody: Foam\n", "cloths: a list of 1 to 2000 names"},
      {"cloths: Twill\nbody: Foam\n", "cloths: a list of 1 to 2000 names"},
      {"cloths: [Twill]\ncloth: Twill\nbody: Foam\n", "'cloth' stands in the file as well"},
      {"cloths: [Twill, Twill]\nbody: Foam\n", "batch.yaml:3: 'Twill' stands twice"},
      {"cloths: [Twill, '']\nbody: Foam\n", "a text of 1 to 63 bytes"},
      {"cloths: [{nam: Twill}]\nbody: Foam\n",
       "a name or {name: NAME, lot: LOT, specimen: SPECIMEN} was wanted"},
      {"cloths: [{name: Twill, lot: A, roll: 3}]\nbody: Foam\n",
       "a name or {name: NAME, lot: LOT, specimen: SPECIMEN} was wanted"},
      {"cloth: Twill\nbodies: [{name: Foam, lot: A}]\n", "bodies: a name was wanted"},
      {"cloths: [Twill]\n", "body is missing"},
      {"cloths: [Twill]\nbody: Foam\ncolour: red\n", "unknown key 'colour'"},
      {"cloths: [[Twill]]\nbody: Foam\n", "a name or {name: NAME, lot: LOT, specimen: SPECIMEN} was wanted"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char text[1000];
    cb_err e = {""};
    daq_batch b;
    (void)snprintf(text, sizeof text, HEAD "%s" REST, wrong[i].lists);
    assert_true(load(text, &b, &e) != CB_OK);
    if (!strstr(e.msg, wrong[i].says)) fail_msg("%s: %s", wrong[i].lists, e.msg);
    daq_batch_clear(&b);
  }
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(every_pair_comes_once),
                                     T(loads_come_to_and_fro),
                                     T(there_and_back),
                                     T(the_order_needs_the_fewest_steps),
                                     T(a_file_of_one_pair_is_a_batch_of_one),
                                     T(what_makes_no_sense_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
