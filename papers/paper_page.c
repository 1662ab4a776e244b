#include "paper_page.h"

#define PAGE_HEAD                                                                                          \
  "# Gallery: the five papers, row by row\n\n"                                                             \
  "The program grew out of five papers. This page lists their figures, tables and claimed numbers. Each "  \
  "row has a command "                                                                                     \
  "that reproduces it,\nthe paper's number beside ours, and a verdict. `./run paper` prints the list. "    \
  "`./run paper A9` plays one row "                                                                        \
  "and leaves its files in\n`build/paper/A9`. `./run paper --page` prints this page from "                 \
  "`papers/papers.yaml`.\n\n"                                                                              \
  "`same`: the paper's number or picture, within what is wanted. `better`: beyond it. `differs`: the row " \
  "says why. `open`: not yet.\n"

static void print_row(const paper_row *r, FILE *to) {
  fprintf(to, "\n### %s: %s\n\n", r->id, r->shows);
  for (size_t k = 0; k < r->n_commands; k++) fprintf(to, "    %s\n", r->command[k]);
  if (r->full[0]) fprintf(to, "\nAt the paper's size: `%s`.\n", r->full);
  if (r->n_values > 0) fprintf(to, "\n| | paper | ours |\n|---|---|---|\n");
  for (size_t k = 0; k < r->n_values; k++)
    fprintf(to, "| %s | %s | %s |\n", r->value[k].what, r->value[k].paper[0] ? r->value[k].paper : "-",
            r->value[k].ours);
  if (r->n_pictures > 0) fprintf(to, "\n");
  for (size_t k = 0; k < r->n_pictures; k++)
    fprintf(to, "![%s](%s)%s", r->shows, r->picture[k], k + 1 < r->n_pictures ? " " : "\n");
  fprintf(to, "\nVerdict: %s.%s%s Takes %g min.\n", paper_verdict_names[r->verdict], r->because[0] ? " " : "",
          r->because, r->minutes);
}

void paper_page_print(const paper_list *list, FILE *to) {
  fprintf(to, "%s", PAGE_HEAD);
  for (size_t p = 0; p < list->n; p++) {
    const paper *at = &list->paper[p];
    fprintf(to, "\n## %s. %s\n\n%s Details: %s.\n", at->id, at->title, at->cite, at->page);
    for (size_t i = 0; i < at->n_rows; i++) print_row(&at->row[i], to);
  }
}
