/* What limits of strain cost and keep: the sheet of `validate limit-swap`, every method, limits as they are
 * and exchanged.
 *
 *   bench_limit [--json] [--pictures FOLDER] [--cells N] [--step MS]
 *
 * Times are processor time of a step (the cloth's own step, `none`, taken off), linear systems are those of
 * Newton's method: means. At the end of the JSON: the worst of all methods, and what the mapped one
 * costs. */
#include "bench_lab.h"
#include "val_limit.h"

static const char *name_of(int kind) { return kind == SIM_LIMIT_KINDS ? "none" : sim_limit_kind_names[kind]; }

static void print_table(int kind, int swapped, const val_limit_result *r, double own_s) {
  printf(
      "%-10s %-8s warp %.4f..%.4f weft %.4f..%.4f any %.4f..%.4f excess %.5f (worst %.5f) sag %5.1f mm "
      "lowest %7.1f mm "
      "wrinkles %5.2f 1/m, %4.1f rounds, %5.1f systems, %6.1f ms\n",
      name_of(kind), swapped ? "swapped" : "", r->warp[0], r->warp[1], r->weft[0], r->weft[1], r->any[0],
      r->any[1], r->excess, r->excess_worst, 1e3 * r->sag_m, 1e3 * r->lowest_m, r->wrinkles_per_m, r->rounds,
      r->linear_systems, 1e3 * (r->seconds - own_s));
}

static void print_case(const val_limit_result *r, double own_s, const char *name) {
  printf(
      "      \"%s\": {\"warp\": [%.6g, %.6g], \"weft\": [%.6g, %.6g], \"any\": [%.6g, %.6g], "
      "\"max_excess_rel\": %.6g, \"sag_mm\": %.6g, "
      "\"lowest_mm\": %.6g, \"wrinkles_per_m\": %.6g, \"fastest_m_per_s\": %.6g, \"rounds\": %.6g, "
      "\"iterations\": %.6g, "
      "\"ms_per_projection\": %.6g}",
      name, r->warp[0], r->warp[1], r->weft[0], r->weft[1], r->any[0], r->any[1], r->excess_worst,
      1e3 * r->sag_m, 1e3 * r->lowest_m, r->wrinkles_per_m, r->fastest_m_per_s, r->rounds, r->linear_systems,
      1e3 * (r->seconds - own_s));
}

static void print_json(int kind, const val_limit_result r[2], double own_s) {
  printf("    \"%s\": {\n", name_of(kind));
  print_case(&r[0], own_s, "weft_stiff");
  printf(",\n");
  print_case(&r[1], own_s, "warp_stiff");
  printf(
      ",\n      \"iterations\": %.6g, \"ms_per_projection\": %.6g, \"max_excess_rel\": %.6g, "
      "\"swap_moves_mm\": %.6g},\n",
      (r[0].linear_systems + r[1].linear_systems) / 2, 1e3 * ((r[0].seconds + r[1].seconds) / 2 - own_s),
      fmax(r[0].excess_worst, r[1].excess_worst), 1e3 * val_limit_apart(&r[0], &r[1]));
}

/* Over all methods; of the mapped one. */
typedef struct summary {
  double own_s, excess, systems, seconds;
} summary;

/* Of --cells and --step; 0: as they are. */
static int cells;
static double step_s;

static void run(int kind, bool json, const char *pictures, summary *all) {
  val_limit_result r[2];
  for (int swapped = 0; swapped < 2; swapped++) {
    char path[400];
    val_limit e = val_limit_default();
    e.kind = (sim_limit_kind)kind;
    e.swapped = swapped;
    if (cells > 0) e.cells = cells;
    if (step_s > 0) e.dt_s = step_s;
    (void)snprintf(path, sizeof path, "%s/limit_%s_%s.png", pictures ? pictures : "", name_of(kind),
                   swapped ? "warp_stiff" : "weft_stiff");
    LAB_TRY(val_limit_run(&e, pictures ? path : NULL, &r[swapped], err));
    if (kind == SIM_LIMIT_KINDS) all->own_s = r[swapped].seconds;
    if (!json) print_table(kind, swapped, &r[swapped], all->own_s);
  }
  if (!json)
    printf("%-10s exchanging the limits moves it by %.2f mm\n", name_of(kind),
           1e3 * val_limit_apart(&r[0], &r[1]));
  if (json && kind < SIM_LIMIT_KINDS) print_json(kind, r, all->own_s);
  all->excess = fmax(all->excess, fmax(r[0].excess_worst, r[1].excess_worst));
  if (kind == SIM_LIMIT_MAPPED) {
    all->systems = (r[0].linear_systems + r[1].linear_systems) / 2;
    all->seconds = (r[0].seconds + r[1].seconds) / 2;
  }
  for (int k = 0; k < 2; k++) val_limit_clear(&r[k]);
}

int main(int argc, char **argv) {
  bool json = false;
  const char *pictures = NULL;
  summary all = {0};
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--json") == 0)
      json = true;
    else if (strcmp(argv[k], "--pictures") == 0 && k + 1 < argc)
      pictures = argv[++k];
    else if (strcmp(argv[k], "--cells") == 0 && k + 1 < argc)
      cells = atoi(argv[++k]);
    else if (strcmp(argv[k], "--step") == 0 && k + 1 < argc)
      step_s = 1e-3 * atof(argv[++k]);
    else
      lab_die("usage: bench_limit [--json] [--pictures FOLDER] [--cells N] [--step MS]");
  }
  if (json) printf("{\n  \"strain_limiting\": {\n");
  run(SIM_LIMIT_KINDS, json, pictures, &all);
  for (int kind = 0; kind < SIM_LIMIT_KINDS; kind++) run(kind, json, pictures, &all);
  if (json)
    printf("    \"max_excess_rel\": %.6g, \"iterations\": %.6g, \"ms_per_projection\": %.6g\n  }\n}\n",
           all.excess, all.systems, 1e3 * (all.seconds - all.own_s));
  return 0;
}
