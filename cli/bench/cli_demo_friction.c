/* The demo's friction: a campaign on the virtual rig, the law, slides that the law has to predict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_rig.h"
#include "cb_stats.h"
#include "cb_store.h"
#include "cli_demo.h"
#include "cb_signals.h"

#define MOST_RESUMES 2

/* ---- the fitted law against the truth inside the virtual rig, which no real bench can know ---- */

typedef struct comparison {
  vlab_tally tally;
  double worst_unmeasured; /* relative error at 30 and 60 degrees, which were never measured */
} comparison;

static void compare_cell(const cb_friction_law *law, const cb_rig *rig, double angle_deg, double N,
                         comparison *c) {
  cb_friction_value v;
  cb_friction_law_eval(law, angle_deg * CB_DEG, N, &v);
  const double truth = cb_rig_truth_kinetic(&rig->virt.truth, angle_deg * CB_DEG, N, 0.01),
               error = fabs(v.force_N - truth);
  if (angle_deg == 30 || angle_deg == 60)
    c->worst_unmeasured = fmax(c->worst_unmeasured, error / truth);
  else
    vlab_count(&c->tally, error, cb_student_t(0.95, v.dof) * v.u_force_N);
}

static cb_status compare_law(const cli_demo *d, comparison *c, cb_err *err) {
  const double angles_deg[] = {0, 30, 45, 60, 90};
  cb_rig rig;
  cb_store *s = NULL;
  cb_friction_law law;
  *c = (comparison){.worst_unmeasured = 0};
  cb_status st = cb_rig_load(d->rig, &rig, err);
  if (st == CB_OK) st = cb_store_open(d->db, CB_STORE_READ, &s, err);
  if (st == CB_OK) st = cb_store_law_find(s, CLI_DEMO_CLOTH, CLI_DEMO_BODY, CB_FRICTION_KINETIC, &law, err);
  for (size_t k = 0; st == CB_OK && k < law.n_knots; k++)
    for (size_t a = 0; a < 5; a++) compare_cell(&law, &rig, angles_deg[a], law.knots[k].normal_force_N, c);
  cb_rig_clear(&rig);
  return cb_store_close_after(s, st, err);
}

static int check_truth(cli_demo *d) {
  comparison c;
  cb_err err = {""};
  cb_status st = compare_law(d, &c, &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  fprintf(stderr,
          "\n== The fitted kinetic law against the truth inside the virtual rig\n"
          "   inside its own 95 %% band in %d of %d (angle, load) cells; at 30 and 60 degrees, never "
          "measured, off by at most %.2f %%\n",
          c.tally.inside, c.tally.cells, 100 * c.worst_unmeasured);
  d->tally[CLI_DEMO_FRICTION] = c.tally;
  d->friction_wrong = c.tally.inside * 10 < c.tally.cells * 9 || !(c.worst_unmeasured <= 0.02);
  return CLI_DONE;
}

/* One that a busy computer spoilt has no verdict. */
int cli_demo_judge_slides(const cli_demo *d, const char *layers) {
  const int code = cli_demo_command("Comparing predicted slides with the measured ones", cmd_validate,
                                    (const char *const[]){"validate", "slide", "--all", "--db", d->db,
                                                          layers ? "--layers" : NULL, layers, NULL});
  return code == CLI_FAILED && !cb_stop_wanted(cb_signals_wish()) ? CLI_DONE : code;
}

/* A computer that is busy with other things may be too late for the guard or the watchdog, which then stop
 * the stage: look why, and go on, as a person would. */
static int measure_campaign(const cli_demo *d, const char *title, const char *rig, const char *name) {
  char campaign[CLI_SHARE_PATH_BYTES];
  (void)cli_share_path(name, campaign);
  int code = cli_demo_command(
      title, cmd_run, (const char *const[]){"run", campaign, "--rig", rig, "--db", d->db, "--yes", NULL});
  for (int again = 0; code == CLI_FAILED && again < MOST_RESUMES && !cb_stop_wanted(cb_signals_wish());
       again++)
    code = cli_demo_command(
        "Going on with the campaign that was stopped", cmd_run,
        (const char *const[]){"run", campaign, "--rig", rig, "--db", d->db, "--yes", "--resume", NULL});
  return code;
}

int cli_demo_friction(cli_demo *d) {
  int code = measure_campaign(d, "Measuring: 3 directions x 6 loads x 3 repeats, forward and backward",
                              d->rig, "rigs/campaign-demo.yaml");
  if (code == CLI_DONE)
    code = cli_demo_command("Fitting f00, f01, f11", cmd_fit,
                            (const char *const[]){"fit", "friction", "--cloth", CLI_DEMO_CLOTH, "--body",
                                                  CLI_DEMO_BODY, "--db", d->db, NULL});
  if (code == CLI_DONE) code = check_truth(d);
  if (code == CLI_DONE)
    code = cli_demo_command(
        "Predicting one force", cmd_predict,
        (const char *const[]){"predict", "friction", "--cloth", CLI_DEMO_CLOTH, "--body", CLI_DEMO_BODY,
                              "--angle-deg", "30", "--normal-force-N", "1", "--db", d->db, NULL});
  if (code == CLI_DONE)
    code = measure_campaign(d, "Measuring slides in directions and under loads that the fit never saw",
                            d->judged_rig, "rigs/campaign-demo-slide.yaml");
  return code == CLI_DONE ? cli_demo_judge_slides(d, NULL) : code;
}
