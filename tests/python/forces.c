/* forces MATERIALS.db: kinetic friction of all pairs at POINTS angles and loads as the program predicts it,
 * in doubles on standard output: for each pair angle, load, force, u, angle, ... test_clothbench.py holds the
 * Python package to them. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "lab_predict.h"

#define POINTS 1000

static cb_status write_pair(cb_store *s, const cb_friction_law *of, cb_err *err) {
  lab_answer a;
  const lab_question q = {
      .cloth = of->cloth, .body = of->body, .kind = CB_FRICTION_KINETIC, .normal_force_N = 1};
  CB_TRY(lab_friction_predict(s, &q, &a, err));
  for (int i = 0; i < POINTS; i++) {
    const double angle_deg = -90 + 0.37 * i, load_N = 0.01 * (1 + i);
    cb_friction_law_eval(&a.law, cb_direction_rad(angle_deg), load_N, &a.value);
    const double row[4] = {angle_deg, load_N, a.value.force_N, a.value.u_force_N};
    if (fwrite(row, sizeof row, 1, stdout) != 1) return cb_fail(err, CB_E_IO, "standard output");
  }
  lab_answer_clear(&a);
  return CB_OK;
}

static cb_status write_all(cb_store *s, cb_err *err) {
  cb_friction_law *laws;
  size_t n;
  CB_TRY(cb_store_laws(s, &laws, &n, err));
  cb_status st = CB_OK;
  for (size_t k = 0; st == CB_OK && k < n; k++) {
    if (laws[k].kind != CB_FRICTION_KINETIC) continue;
    (void)fprintf(stderr, "%s\t%s\n", laws[k].cloth, laws[k].body);
    st = write_pair(s, &laws[k], err);
  }
  free(laws);
  return st;
}

int main(int argc, char **argv) {
  cb_err err = {""};
  cb_store *s;
  if (argc != 2) return 2;
  cb_status st = cb_store_open(argv[1], CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, write_all(s, &err), &err);
  if (st == CB_OK) return 0;
  (void)fprintf(stderr, "forces: %s\n", err.msg);
  return 1;
}
