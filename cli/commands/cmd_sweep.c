/* clothbench sweep: one command over many cases, on this machine or by Slurm. */
#include <string.h>

#include "cli.h"
#include "cli_sweep.h"

static const struct {
  const char *name;
  int (*run)(const cli_sweep *q);
} words[] = {{"status", cli_sweep_status},
             {"gather", cli_sweep_gather},
             {"retry", cli_sweep_retry},
             {"indices", cli_sweep_indices},
             {"plot", cli_sweep_plot}};
#define N_WORDS (sizeof words / sizeof words[0])

static int wrong(const char *sentence) {
  cli_say("sweep", "%s ('clothbench sweep --help' tells more)", sentence);
  return CLI_USAGE;
}

static int run_plan(const cli_sweep *q) {
  if (q->local + (q->shard != NULL) + (q->tasks > 0) > 1)
    return wrong("one of --local, --shard and --slurm was wanted");
  if (q->tasks == 0 && (q->partition || q->account || q->minutes > 0 || q->dry_run))
    return wrong("--partition, --account, --minutes and --dry-run belong to --slurm TASKS");
  if (q->of || q->over || q->figure || q->csv)
    return wrong("--of belongs to sweep indices and plot, --over and --figure to plot, --csv to gather");
  if (q->tasks > 0) return cli_sweep_submit(q);
  return q->local || q->shard ? cli_sweep_run(q) : cli_sweep_estimate(q);
}

static int run_word(const char *word, cli_sweep *q, const char *folder) {
  if (q->local || q->shard || q->tasks > 0 || q->folder)
    return wrong("--local, --shard, --slurm and --out belong to a plan");
  if (q->csv && strcmp(word, "gather") != 0) return wrong("--csv belongs to sweep gather");
  const bool plots = strcmp(word, "plot") == 0;
  if (q->of && !plots && strcmp(word, "indices") != 0) return wrong("--of belongs to sweep indices and plot");
  if ((q->over || q->figure) && !plots) return wrong("--over and --figure belong to sweep plot");
  q->folder = folder;
  for (size_t i = 0; i < N_WORDS; i++)
    if (strcmp(words[i].name, word) == 0) return words[i].run(q);
  cli_say("sweep", "'%s': a plan alone, or status, gather, retry, indices or plot with a folder, was wanted",
          word);
  return CLI_USAGE;
}

int cmd_sweep(int argc, char **argv) {
  cli_sweep q = {.plan = NULL};
  const char *words_typed[2];
  size_t n;
  const cli_opt opts[] = {
      {"out", CLI_OUT_FOLDER, &q.folder, "the sweep's folder; else the plan's name"},
      {"local", CLI_SWITCH, &q.local, "play all cases on this machine"},
      {"jobs", CLI_NUMBER, &q.jobs, "cases beside each other; else as many as processors (--shard: 1)",
       .min = 1, .max = 1024},
      {"shard", CLI_TEXT, &q.shard, "K/N: play every Nth case, from the Kth"},
      {"slurm", CLI_NUMBER, &q.tasks, "submit an array of so many tasks to Slurm", .min = 1, .max = 100000},
      {"partition", CLI_TEXT, &q.partition, "of the tasks; else the plan's, or Slurm's"},
      {"account", CLI_TEXT, &q.account, "likewise"},
      {"minutes", CLI_NUMBER, &q.minutes, "limit of a task; likewise", .min = 1, .max = 1e6},
      {"dry-run", CLI_SWITCH, &q.dry_run, "print the job for Slurm, and submit nothing"},
      {"of", CLI_TEXT, &q.of, "indices, plot: this figure"},
      {"over", CLI_TEXT, &q.over, "plot: over this variable or figure"},
      {"figure", CLI_OUT_FILE, &q.figure, "plot: FILE.svg, FILE.png or FILE.pdf"},
      {"csv", CLI_OUT_FILE, &q.csv, "gather: write the rows as a table, too"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  const int stop =
      cli_parse(argc, argv,
                "sweep PLAN.yaml [--out FOLDER] [--local | --shard K/N | --slurm TASKS [--dry-run]] "
                "[--json] | sweep status|gather|retry FOLDER | sweep indices FOLDER --of FIGURE | sweep plot "
                "FOLDER --of FIGURE --over VARIABLE --figure FILE",
                opts, sizeof opts / sizeof opts[0], words_typed, 1, 2, &n);
  if (stop >= 0) return stop;
  if (n == 2) return run_word(words_typed[0], &q, words_typed[1]);
  q.plan = words_typed[0];
  return run_plan(&q);
}
