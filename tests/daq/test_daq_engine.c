/* The engine from end to end against the virtual rig, which is another program behind a wire: what is stored,
 * how it ends. */
#include "daqtest.h"

#include "cb_num.h"
#include "cb_rig.h"
#include "cb_time.h"
#include "daq_emulator.h"
#include "daq_engine.h"
#include "daq_prompt.h"
#include "daq_transport.h"
#include "doneruns.h"
#include "fit_pull.h"
#include "daq_campaign_impl.h"

typedef struct fixture {
  char db[400], rig_path[400];
  cb_rig rig;
  daq_campaign campaign;
  cb_store *store;
  cb_stop stop_flag;
  daq_engine_job job;
  daq_engine_result result;
  size_t stop_at;         /* progress: raises the flag before this run */
  daq_emulator *emulator; /* of the tests in which a "person" is the operator */
  char prompts[8][DAQ_PROMPT_SIZE];
  daq_phase phase;
  size_t n_pulls, out_of_order; /* pulls that ended; phases that did not follow on their own */
  size_t n_prompts;
  bool refuse_prompt;
  pthread_mutex_t hand; /* on the emulator */
} fixture;

static const char plan_head[] =
    "name: t\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0, 90]\nadded_masses_g: [50, 200]\n";

static void use(fixture *f, const char *const pairs[][2], size_t n_pairs, const char *plan) {
  (void)cbt_path("rig.yaml", f->rig_path);
  dt_rig_with(f->rig_path, pairs, n_pairs);
  assert_ok(cb_rig_load(f->rig_path, &f->rig, err));
  assert_ok(daq_campaign_parse(plan, "plan.yaml", &f->rig, &f->campaign, err));
}

static void on_progress(void *context, const daq_progress *p) {
  fixture *f = context;
  f->n_pulls += p->phase == DAQ_ENDING_RUN;
  f->out_of_order += p->phase == DAQ_ENDING_RUN && f->phase != DAQ_PULLING;
  f->out_of_order += p->phase == DAQ_RUN_ENDED && f->phase != DAQ_ENDING_RUN;
  f->phase = p->phase;
  if (f->stop_at && p->phase == DAQ_PREPARING && p->done == f->stop_at)
    atomic_store(&f->stop_flag, CB_STOP_OPERATOR);
}

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  pthread_mutex_init(&f->hand, NULL);
  cbt_folder_set_up(state);
  (void)cbt_path("t.db", f->db);
  assert_ok(cb_store_open(f->db, CB_STORE_WRITE, &f->store, err));
  f->job = (daq_engine_job){.rig = &f->rig,
                            .campaign = &f->campaign,
                            .store = f->store,
                            .program = CB_EXE,
                            .stop_flag = &f->stop_flag,
                            .progress = on_progress,
                            .context = f};
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  daq_emulator_stop(f->emulator);
  assert_ok(cb_store_check(f->store, NULL, err));
  assert_ok(cb_store_close(f->store, err));
  daq_campaign_clear(&f->campaign);
  cb_rig_clear(&f->rig);
  cbt_folder_tear_down(state);
  pthread_mutex_destroy(&f->hand);
  free(f);
  return 0;
}

/* ---- what a run leaves behind ---- */

static void check_trace(const fixture *f, const cb_run *run) {
  const cb_rig_truth *truth = &f->rig.virt.truth;
  cb_trace trace;
  fit_pull p;
  fit_pull_options opt = fit_pull_options_default();
  assert_ok(cb_store_trace(f->store, run, &trace, err));
  assert_ok(fit_pull_reduce(&trace, run->direction, run->travel_m, &opt, &p, err));
  if (p.outcome != FIT_PULL_OK)
    fail_msg("run %d, flags '%s': %s", (int)run->id, run->flags, fit_pull_outcome_text[p.outcome]);
  double N = run->normal_force_N,
         wanted = cb_rig_truth_kinetic(truth, run->angle_deg * CB_PI / 180, N, run->speed_m_per_s);
  /* Zero: the reading at no force; noise 2 mN over at least 100 readings. */
  assert_near(p.zero_N, 0.05, 2e-3);
  assert_near(p.zero_sd_N, 2e-3, 1e-3);
  /* Scatter from run to run is 0.5 %: five standard deviations, and a millinewton for noise. */
  assert_near(p.kinetic_N, wanted, 0.025 * wanted + 1e-3);
  /* The stage went exactly as far as it was told, to a microstep. */
  const cb_series *x = &trace.position_m;
  assert_near(run->direction * (x->v[x->n - 1] - x->v[0]), run->travel_m, 2 * f->rig.stage.microstep_m);
  for (size_t i = 1; i < x->n; i++) assert_true(x->t_s[i] > x->t_s[i - 1]);
  /* Rest, pull and settling, on the rig's clock: never shorter; longer by what a busy host adds. */
  assert_true(trace.force_N.t_s[trace.force_N.n - 1] >
              f->campaign.zero_s + run->travel_m / run->speed_m_per_s);
  cb_trace_clear(&trace);
}

/* 16,000 lines per wall second, each an event to the thread sanitizer, are more than a computer can take
 * under it. */
#ifdef __SANITIZE_THREAD__
#define PACE "time_scale: 10"
#else
#define PACE "time_scale: 40"
#endif

/* What the zero is at the end of a campaign of minutes is known without drift. */
static const char *const even_bench[][2] = {{"drift_per_s: 0.00002", "drift_per_s: 0"},
                                            {"time_scale: 40", PACE}};

static void whole_campaign(void **state) {
  fixture *f = *state;
  char plan[512];
  cb_run *runs;
  size_t again;
  cb_campaign c;
  cb_calibration cal;
  (void)snprintf(plan, sizeof plan,
                 "%srepeats: 2\ndirections: both\nspeed_mm_per_s: 10\ntravel_mm: 20\nzero_s: 0.5\noperator: "
                 "Ada\nhumidity_percent: 60\n",
                 plan_head);
  use(f, even_bench, 2, plan);
  assert_ok(daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(f->result.runs_done, 16);
  assert_int_equal(f->result.runs_failed, 0);
  assert_true(f->result.seconds > 0);
  assert_true(f->n_pulls >= 16);
  assert_int_equal(f->out_of_order, 0);
  assert_int_equal(f->phase, DAQ_CAMPAIGN_ENDED);
  assert_int_equal(done_runs(f->store, &runs, &again), 16);
  for (size_t i = 0; i < 16; i++) {
    const cb_run *r = &runs[i];
    daq_cell cell = daq_campaign_cell(&f->campaign, i);
    assert_int_equal(r->status, CB_RUN_DONE);
    assert_int_equal(r->kind, CB_RUN_PULL);
    assert_int_equal(r->origin, CB_VIRTUAL);
    assert_true(r->angle_deg == cell.angle_deg && r->added_mass_kg == cell.added_mass_kg &&
                r->repeat == cell.repeat && r->direction == cell.direction);
    assert_near(r->normal_force_N, (0.013 + cell.added_mass_kg) * 9.80665, 1e-12);
    assert_near(r->u_normal_force_N, 0.05e-3 * 9.80665, 1e-12);
    assert_near(r->contact_area_m2, 50e-4, 1e-12);
    assert_string_equal(r->source, "virtual-bench");
    assert_true(r->finished_at[0] != '\0' && r->reason[0] == '\0');
    check_trace(f, r);
  }
  at_most_one_flag(runs, 16);
  assert_ok(cb_store_calibration_get(f->store, runs[0].calibration_id, &cal, err));
  assert_near(cal.u_rel, 0.002, 0);
  assert_string_equal(cal.unit, "N");
  free(runs);
  assert_ok(cb_store_campaign_get(f->store, f->result.campaign_id, &c, err));
  assert_true(c.finished_at[0] != '\0');
  assert_string_equal(c.operator_name, "Ada");
  assert_true(c.humidity_percent == 60 && isnan(c.temperature_degC));
}

/* Pulls in one direction only: before each, the cart has to be taken back. */
static void one_direction(void **state, const char *directions) {
  fixture *f = *state;
  char plan[512];
  cb_run *runs;
  size_t again;
  (void)snprintf(plan, sizeof plan,
                 "name: t\nkind: slide\ncloth: C\nbody: B\nangles_deg: [30]\nadded_masses_g: [150]\nrepeats: "
                 "4\ndirections: %s\nspeed_mm_per_s: 10\n"
                 "travel_mm: 20\nzero_s: 0.5\n",
                 directions);
  use(f, even_bench, 2, plan);
  assert_ok(daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(done_runs(f->store, &runs, &again), 4);
  for (size_t i = 0; i < 4; i++) {
    cb_series x;
    assert_int_equal(runs[i].kind, CB_RUN_SLIDE);
    check_trace(f, &runs[i]);
    /* Every pull begins where the rig file wants it, give or take what the link's spring leaves open. */
    assert_ok(cb_store_samples(f->store, runs[i].id, CB_CHANNEL_POSITION, &x, err));
    assert_near(x.v[0], runs[i].direction > 0 ? 0.02 : 0.04, 2e-3);
    cb_series_clear(&x);
  }
  at_most_one_flag(runs, 4);
  free(runs);
}

static void forward_only(void **state) { one_direction(state, "forward"); }
static void backward_only(void **state) { one_direction(state, "backward"); }

/* ---- a campaign that is cut off, and goes on ---- */

static const char small_plan[] =
    "name: t\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0, 90]\nadded_masses_g: [50]\nrepeats: "
    "2\ndirections: both\nspeed_mm_per_s: "
    "10\ntravel_mm: 10\nzero_s: 0.5\n";

static void resume(void **state) {
  fixture *f = *state;
  cb_run *runs;
  cb_event *events;
  size_t n, noted = 0;
  use(f, NULL, 0, small_plan);
  f->job.resume = true;
  assert_fails(CB_E_NOTFOUND, "no unfinished campaign 't'", daq_engine_run(&f->job, &f->result, err));
  f->job.resume = false;
  f->stop_at = 3;
  assert_fails(CB_E_STOPPED, "stopped by the operator", daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(f->result.runs_done, 3);
  assert_int_equal(f->result.runs_failed, 0);
  int64_t campaign_id = f->result.campaign_id;
  /* As if the program had been killed in its fourth run. */
  assert_int_equal(dt_runs(f->store, CB_RUN_DONE, &runs), 3);
  cb_run cut = runs[0];
  free(runs);
  cut.repeat = 2;
  cut.direction = -1;
  cut.status = CB_RUN_RUNNING;
  cut.finished_at[0] = '\0';
  assert_ok(cb_store_run_put(f->store, &cut, err));
  f->stop_at = 0;
  atomic_store(&f->stop_flag, CB_STOP_NOT);
  f->job.resume = true;
  assert_ok(daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(f->result.campaign_id, campaign_id);
  assert_int_equal(f->result.runs_done, 5);
  assert_int_equal(dt_runs(f->store, CB_RUN_INTERRUPTED, &runs), 1);
  assert_int_equal(runs[0].id, cut.id);
  free(runs);
  assert_int_equal(dt_runs(f->store, CB_RUN_RUNNING, &runs), 0);
  free(runs);
  assert_int_equal(dt_runs(f->store, CB_RUN_DONE, &runs), 8);
  for (size_t i = 0; i < 8; i++) {
    daq_cell c = daq_campaign_cell(&f->campaign, i);
    assert_true(runs[i].angle_deg == c.angle_deg && runs[i].repeat == c.repeat &&
                runs[i].direction == c.direction);
  }
  free(runs);
  assert_ok(cb_store_events(f->store, campaign_id, &events, &n, err));
  for (size_t i = 0; i < n; i++) noted += strcmp(events[i].kind, "resume") == 0;
  assert_int_equal(noted, 1);
  free(events);
  assert_fails(CB_E_NOTFOUND, "no unfinished campaign", daq_engine_run(&f->job, &f->result, err));
}

static void *stop_soon(void *context) {
  fixture *f = context;
  cb_run *runs = NULL;
  cb_store *reader;
  size_t n = 0;
  cb_run_filter filter = cb_run_filter_all();
  filter.status = CB_RUN_RUNNING;
  if (cb_store_open(f->db, CB_STORE_READ, &reader, NULL) != CB_OK) return NULL;
  while (n == 0 && cb_store_runs(reader, &filter, &runs, &n, NULL) == CB_OK) {
    free(runs);
    cb_sleep_s(0.002);
  }
  cb_sleep_s(0.5); /* rest and pull take 1.6 s of the wall clock */
  atomic_store(&f->stop_flag, CB_STOP_OPERATOR);
  (void)cb_store_close(reader, NULL);
  return NULL;
}

/* A person as the operator, the stop in the middle of a pull, and a look at the stage afterwards. */
static cb_status play_person_alone(fixture *f, const char *text, cb_err *err) {
  double angle_deg, added_g;
  const char *turn = strstr(text, "Turn the sample to "), *put = strstr(text, "Put ");
  if (f->n_prompts < 8) (void)snprintf(f->prompts[f->n_prompts++], DAQ_PROMPT_SIZE, "%s", text);
  if (f->refuse_prompt) return cb_fail(err, CB_E_STOPPED, "stopped by the operator");
  if (strstr(text, "the stage homes")) return CB_OK;
  if (!put) put = strstr(text, "Leave ");
  if (turn && sscanf(turn, "Turn the sample to %lf deg", &angle_deg) == 1)
    CB_TRY(daq_emulator_turn_sample(f->emulator, angle_deg, err));
  if (!put || sscanf(put, "%*s %lf g", &added_g) != 1) return cb_fail(err, CB_E_PARSE, "what? %s", text);
  return daq_emulator_load_cart(f->emulator, added_g * 1e-3, err);
}

static cb_status play_person(void *context, const daq_asked *q, daq_answer *answer, cb_err *err) {
  fixture *f = context;
  const char *text = q->text;
  assert_int_equal(*answer, DAQ_GO_ON);
  pthread_mutex_lock(&f->hand);
  cb_status st = play_person_alone(f, text, err);
  pthread_mutex_unlock(&f->hand);
  return st;
}

/* The emulator of rigs/NAME.yaml on its own; the engine gets its ports by way of the rig file, as it would a
 * real rig's. */
static void start_bench(fixture *f, const char *const pairs[][2], size_t n_pairs, const char *plan) {
  use(f, pairs, n_pairs, plan);
  assert_ok(daq_emulator_start(CB_EXE, f->rig_path, &f->emulator, err));
  (void)snprintf(f->rig.stage.port, sizeof f->rig.stage.port, "%s", daq_emulator_stage_port(f->emulator));
  (void)snprintf(f->rig.force.port, sizeof f->rig.force.port, "%s", daq_emulator_force_port(f->emulator));
  f->job.prompt = play_person;
}

/* Asks the stage itself, past the driver. */
static double stage_position_mm(fixture *f, bool *busy) {
  daq_transport *t;
  char reply[128], state[8];
  size_t n = 0, got = 1;
  long long microsteps;
  assert_ok(daq_transport_open(f->rig.stage.port, 115200, &t, err));
  assert_ok(daq_transport_write(t, "/1 get pos\n", 11, 1, err));
  while (got > 0 && (n == 0 || reply[n - 1] != '\n')) {
    assert_ok(daq_transport_read(t, reply + n, sizeof reply - 1 - n, 1, &got, err));
    n += got;
  }
  reply[n] = '\0';
  daq_transport_close(t);
  if (sscanf(reply, "@01 0 OK %7s %*s %lld", state, &microsteps) != 2) fail_msg("the stage says '%s'", reply);
  *busy = strcmp(state, "BUSY") == 0;
  return (double)microsteps * f->rig.stage.microstep_m * 1e3;
}

static void expect_at_rest(fixture *f, double below_mm) {
  bool busy;
  double x = stage_position_mm(f, &busy);
  assert_false(busy);
  assert_true(x < below_mm);
  cb_sleep_s(0.1);
  assert_near(stage_position_mm(f, &busy), x, 1e-9);
}

static const char *const slow[][2] = {{"time_scale: 40", "time_scale: 4"}};

static void stopped_in_mid_pull(void **state) {
  fixture *f = *state;
  pthread_t thread;
  cb_run *runs;
  start_bench(f, slow, 1,
              "name: t\nkind: friction\ncloth: C\nbody: B\nangles_deg: [45]\nadded_masses_g: [50]\nrepeats: "
              "1\ndirections: "
              "forward\nspeed_mm_per_s: 10\ntravel_mm: 60\nzero_s: 0.5\n");
  assert_int_equal(pthread_create(&thread, NULL, stop_soon, f), 0);
  assert_fails(CB_E_STOPPED, "stopped by the operator", daq_engine_run(&f->job, &f->result, err));
  pthread_join(thread, NULL);
  assert_int_equal(dt_runs(f->store, -1, &runs), 1);
  assert_int_equal(runs[0].status, CB_RUN_ABORTED);
  assert_string_equal(runs[0].reason, "stopped by the operator");
  assert_true(runs[0].finished_at[0] != '\0');
  free(runs);
  expect_at_rest(f, 79); /* 80 mm was the target */
  assert_int_equal(f->n_prompts, 2);
  assert_non_null(
      strstr(f->prompts[1], "\nTurn the sample to 45 deg (warp to pull).\nPut 50 g on the cart.\n"));
}

static void prompts(void **state) {
  fixture *f = *state;
  start_bench(f, NULL, 0,
              "name: t\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0, 90]\nadded_masses_g: [50, "
              "200]\nrepeats: 1\ndirections: "
              "forward\nspeed_mm_per_s: 10\ntravel_mm: 10\nzero_s: 0.5\n");
  assert_ok(daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(f->n_prompts, 5);
  assert_non_null(strstr(f->prompts[0], "Take the cart off the link"));
  assert_non_null(strstr(f->prompts[1], "Turn the sample to 0 deg (warp to pull).\nPut 50 g"));
  /* On its way back to the begin of the next pull the stage took the cart along: the link is taut, and said
   * to be. */
  assert_null(strstr(f->prompts[1], "The link still pulls"));
  if (!strstr(f->prompts[2], "\nThe link still pulls with 0.")) fail_msg("%s", f->prompts[2]);
  assert_non_null(strstr(f->prompts[2], "Put 200 g"));
  assert_null(strstr(f->prompts[2], "Turn"));
  assert_non_null(strstr(f->prompts[3], "Turn the sample to 90 deg (warp to pull).\nPut 50 g"));
  f->refuse_prompt = true;
  assert_fails(CB_E_STOPPED, "stopped by the operator", daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(f->result.runs_done, 0);
}

static void overload(void **state) {
  static const char *const weak[][2] = {{"overload_N: 8", "overload_N: 0.6"},
                                        {"time_scale: 40", "time_scale: 4"}};
  fixture *f = *state;
  cb_run *runs;
  cb_event *events;
  size_t n, guard = 0;
  /* 213 g on warp: about 1.2 N, twice what is allowed. */
  start_bench(f, weak, 2,
              "name: t\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0]\nadded_masses_g: [200]\nrepeats: "
              "2\ndirections: "
              "forward\nspeed_mm_per_s: 10\ntravel_mm: 40\nzero_s: 0.5\n");
  assert_fails(CB_E_SAFETY, "run at 0 deg with 200 g, repeat 1, forward: overload: ",
               daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(f->result.runs_done, 0);
  assert_int_equal(f->result.runs_failed, 1);
  assert_int_equal(dt_runs(f->store, -1, &runs), 1);
  assert_int_equal(runs[0].status, CB_RUN_FAILED);
  assert_non_null(strstr(runs[0].reason, "overload"));
  assert_ok(cb_store_events(f->store, runs[0].campaign_id, &events, &n, err));
  for (size_t i = 0; i < n; i++)
    guard += strcmp(events[i].kind, "guard") == 0 && events[i].run_id == runs[0].id;
  assert_int_equal(guard, 1);
  free(events);
  free(runs);
  /* 0.6 N / 500 N/m + 2 mm of play after 20 mm: stopped there, not at 60 mm. */
  expect_at_rest(f, 26);
}

static void *end_emulator(void *context) {
  fixture *f = context;
  cb_run *runs = NULL;
  cb_store *reader;
  size_t n = 0;
  if (cb_store_open(f->db, CB_STORE_READ, &reader, NULL) != CB_OK) return NULL;
  cb_run_filter filter = cb_run_filter_all();
  while (n == 0 && cb_store_runs(reader, &filter, &runs, &n, NULL) == CB_OK) {
    free(runs);
    cb_sleep_s(0.002);
  }
  cb_sleep_s(0.3);
  pthread_mutex_lock(&f->hand);
  daq_emulator_stop(f->emulator);
  f->emulator = NULL;
  pthread_mutex_unlock(&f->hand);
  (void)cb_store_close(reader, NULL);
  return NULL;
}

static void device_lost(void **state) {
  fixture *f = *state;
  pthread_t thread;
  cb_run *runs;
  start_bench(f, slow, 1,
              "name: t\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0]\nadded_masses_g: [50]\nrepeats: "
              "1\ndirections: "
              "forward\nspeed_mm_per_s: 10\ntravel_mm: 60\nzero_s: 0.5\n");
  assert_int_equal(pthread_create(&thread, NULL, end_emulator, f), 0);
  assert_fails(CB_E_DEVICE, "the device was disconnected", daq_engine_run(&f->job, &f->result, err));
  pthread_join(thread, NULL);
  assert_int_equal(dt_runs(f->store, CB_RUN_FAILED, &runs), 1);
  assert_non_null(strstr(runs[0].reason, "the device was disconnected"));
  free(runs);
}

static void two_programs(void **state) {
  fixture *f = *state;
  daq_transport *other;
  start_bench(f, NULL, 0, small_plan);
  assert_ok(daq_transport_open(f->rig.stage.port, 115200, &other, err));
  assert_fails(CB_E_DEVICE, "in use by another program", daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(f->result.campaign_id, 0);
  daq_transport_close(other);
  assert_ok(daq_transport_open(f->rig.force.port, 115200, &other, err));
  assert_fails(CB_E_DEVICE, "in use by another program", daq_engine_run(&f->job, &f->result, err));
  daq_transport_close(other);
}

static void no_emulator(void **state) {
  fixture *f = *state;
  use(f, NULL, 0, small_plan);
  f->job.program = "/nowhere/clothbench";
  assert_fails(CB_E_DEVICE, "virtual rig: its process has ended", daq_engine_run(&f->job, &f->result, err));
  assert_int_equal(f->result.campaign_id, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(whole_campaign), TEST(forward_only),        TEST(backward_only),
                                     TEST(resume),         TEST(stopped_in_mid_pull), TEST(prompts),
                                     TEST(overload),       TEST(device_lost),         TEST(two_programs),
                                     TEST(no_emulator)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
