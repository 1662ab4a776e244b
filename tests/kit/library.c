/* The whole chain without the command line: library MATERIALS.db LAB.db SCENE.yaml. It fits a pair, predicts
 * a force, judges a slide, loads the laws of a cloth and plays a drape. test_demo runs it; it links lab and
 * what lab stands on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab_cloth_laws.h"
#include "lab_friction.h"
#include "lab_predict.h"
#include "lab_slide.h"
#include "sim_play.h"

static cb_status judge_pair(cb_store *s, cb_err *err) {
  lab_friction fit;
  lab_answer answer;
  lab_slide_verdict verdict;
  cb_run run;
  lab_question q = {.cloth = "Demo Twill", .body = "Demo Foam", .angle_deg = 30, .normal_force_N = 1};
  cb_status st = lab_friction_fit(s, q.cloth, q.body, &(lab_selection){.origin = LAB_ANY_ORIGIN}, &fit, err);
  if (st == CB_OK) printf("%zu points, %zu knots\n", fit.kinetic.fit.n_points, fit.kinetic.fit.law.n_knots);
  lab_friction_clear(&fit);
  CB_TRY(st);
  st = lab_friction_predict(s, &q, &answer, err);
  if (st == CB_OK) printf("predicted %.4f +- %.4f N (95 %%)\n", answer.value.force_N, answer.u95_force_N);
  lab_answer_clear(&answer);
  CB_TRY(st);
  CB_TRY(lab_slide_newest(s, &run, err));
  CB_TRY(lab_slide_judge(s, &run, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &verdict, err));
  printf("slide of run %lld: %s, |E_n| at most %.2f\n", (long long)run.id, verdict.pass ? "pass" : "fail",
         verdict.worst_en);
  return CB_OK;
}

static cb_status load_cloth(cb_store *s, cb_err *err) {
  lab_cloth_laws *laws = malloc(sizeof *laws);
  if (!laws) return cb_fail(err, CB_E_NOMEM, "out of memory for the laws of a cloth");
  cb_status st = lab_cloth_laws_load(s, "Tango Red Jet Set", "Plastic Foam", laws, err);
  if (st == CB_OK)
    printf(
        "laws: kinetic %d, static %d, self-friction %d, stretch %d, bending %d, permeability %d, elasticity "
        "%d\n",
        laws->has_kinetic, laws->has_static, laws->has_self_friction, laws->has_stretch, laws->has_bending,
        laws->has_permeability, laws->has_elasticity);
  free(laws);
  return st;
}

static cb_status play_drape(const char *path, cb_err *err) {
  static sim_scene scene;
  sim_play *play = NULL;
  CB_TRY(sim_scene_load(path, &scene, err));
  cb_status st = sim_play_new(&scene, &play, err);
  while (st == CB_OK && sim_play_done(play) < sim_play_steps(play)) st = sim_play_step(play, NULL, err);
  if (st == CB_OK) printf("drape: %d steps to %g s\n", sim_play_done(play), sim_play_time(play));
  sim_play_free(play);
  return st;
}

static cb_status with_store(const char *path, cb_store_mode mode, cb_status (*use)(cb_store *, cb_err *),
                            cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(path, mode, &s, err));
  cb_status st = use(s, err), closed = cb_store_close(s, st == CB_OK ? err : NULL);
  return st == CB_OK ? closed : st;
}

int main(int argc, char **argv) {
  cb_err err = {""};
  if (argc != 4) return 2;
  cb_status st = with_store(argv[2], CB_STORE_WRITE, judge_pair, &err);
  if (st == CB_OK) st = with_store(argv[1], CB_STORE_READ, load_cloth, &err);
  if (st == CB_OK) st = play_drape(argv[3], &err);
  if (st != CB_OK) fprintf(stderr, "%s\n", err.msg);
  return st == CB_OK ? 0 : 1;
}
