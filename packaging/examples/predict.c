/* The friction of a cloth on a body, as a database knows it, with its 95 % band.
 *
 *   cc predict.c $(pkg-config --cflags --libs clothbench) -o predict
 *   ./predict /usr/share/clothbench/materials.db "Royal Target" "Plastic Foam" */
#include <stdio.h>

#include "cb_plus_minus.h"
#include "cb_store.h"
#include "lab_predict.h"

static cb_status predict(const char *database, const lab_question *question, cb_err *err) {
  cb_store *store;
  lab_answer answer;
  char force[CB_PLUS_MINUS];
  CB_TRY(cb_store_open(database, CB_STORE_READ, &store, err));
  cb_status st = lab_friction_predict(store, question, &answer, err);
  if (st == CB_OK) {
    printf("%s on %s at %g deg under %g N: %s N (95 %%)\n", question->cloth, question->body,
           question->angle_deg, question->normal_force_N,
           cb_plus_minus(answer.value.force_N, answer.u95_force_N, " +- ", force));
    lab_answer_clear(&answer);
  }
  return cb_store_close_after(store, st, err);
}

int main(int argc, char **argv) {
  cb_err err = {""};
  if (argc != 4) {
    (void)fprintf(stderr, "usage: predict MATERIALS.db CLOTH BODY\n");
    return 2;
  }
  const lab_question question = {
      .cloth = argv[2], .body = argv[3], .kind = CB_FRICTION_KINETIC, .angle_deg = 30, .normal_force_N = 1};
  if (predict(argv[1], &question, &err) == CB_OK) return 0;
  (void)fprintf(stderr, "predict: %s\n", err.msg);
  return 1;
}
