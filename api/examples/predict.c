/* The friction of a cloth on a body, as a database knows it, with its 95 % band.
 *
 *   cc predict.c $(pkg-config --cflags --libs clothbench) -o predict
 *   ./predict /usr/share/clothbench/materials.db "Royal Target" "Plastic Foam" */
#include <clothbench.h>
#include <stdio.h>

int main(int argc, char **argv) {
  const double angle_deg[] = {0, 30, 60, 90}, load_N[] = {1, 1, 1, 1};
  double force_N[4], low_N[4], high_N[4];
  const clothbench_band band = {.value = force_N, .low = low_N, .high = high_N};
  clothbench_error error = {""};
  clothbench_database *database = NULL;
  clothbench_law *law = NULL;
  if (argc != 4) return fprintf(stderr, "usage: predict MATERIALS.db CLOTH BODY\n"), 2;
  clothbench_status st = clothbench_open(argv[1], false, &database, &error);
  if (st == CLOTHBENCH_OK)
    st = clothbench_law_find(database, CLOTHBENCH_KINETIC, argv[2], argv[3], &law, &error);
  if (st == CLOTHBENCH_OK) st = clothbench_friction_force(law, 4, angle_deg, load_N, &band, &error);
  for (int i = 0; st == CLOTHBENCH_OK && i < 4; i++)
    printf("at %g deg under %g N: %.4g N (95 %%: %.4g to %.4g N)\n", angle_deg[i], load_N[i], force_N[i],
           low_N[i], high_N[i]);
  if (st != CLOTHBENCH_OK) (void)fprintf(stderr, "predict: %s\n", error.message);
  clothbench_law_free(law);
  (void)clothbench_close(database, NULL);
  return st == CLOTHBENCH_OK ? 0 : 1;
}
