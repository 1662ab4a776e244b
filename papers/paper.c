/* paper: the five papers, row by row.
 *
 *   paper            the list: what the paper shows, its number, ours, verdict, minutes
 *   paper ID         plays one row; leaves its files in build/paper/ID
 *   paper --page     docs/gallery.md
 *
 * Exit codes: 0; 1 an error; 2 usage; 3 a value is outside of what the row says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_play.h"

#define TOP CB_SOURCE_DIR
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

static void print_list(const paper_list *list) {
  for (size_t p = 0; p < list->n; p++) {
    printf("%s  %s\n", list->paper[p].id, list->paper[p].title);
    for (size_t i = 0; i < list->paper[p].n_rows; i++) {
      const paper_row *r = &list->paper[p].row[i];
      printf("  %-4s %-8s %4g min  %s\n", r->id, paper_verdict_names[r->verdict], r->minutes, r->shows);
      for (size_t k = 0; k < r->n_values; k++)
        printf("       %s: paper %s, ours %s\n", r->value[k].what,
               r->value[k].paper[0] ? r->value[k].paper : "-", r->value[k].ours);
      for (size_t k = 0; k < r->n_commands; k++) printf("       $ %s\n", r->command[k]);
      if (r->because[0]) printf("       %s\n", r->because);
    }
  }
}

static void print_row_of_page(const paper_row *r) {
  printf("\n### %s: %s\n\n", r->id, r->shows);
  for (size_t k = 0; k < r->n_commands; k++) printf("    %s\n", r->command[k]);
  if (r->full[0]) printf("\nAt the paper's size: `%s`.\n", r->full);
  if (r->n_values > 0) printf("\n| | paper | ours |\n|---|---|---|\n");
  for (size_t k = 0; k < r->n_values; k++)
    printf("| %s | %s | %s |\n", r->value[k].what, r->value[k].paper[0] ? r->value[k].paper : "-",
           r->value[k].ours);
  if (r->n_pictures > 0) printf("\n");
  for (size_t k = 0; k < r->n_pictures; k++)
    printf("![%s](%s)%s", r->shows, r->picture[k], k + 1 < r->n_pictures ? " " : "\n");
  printf("\nVerdict: %s.%s%s Takes %g min.\n", paper_verdict_names[r->verdict], r->because[0] ? " " : "",
         r->because, r->minutes);
}

static void print_page(const paper_list *list) {
  printf("%s", PAGE_HEAD);
  for (size_t p = 0; p < list->n; p++) {
    const paper *at = &list->paper[p];
    printf("\n## %s. %s\n\n%s Details: %s.\n", at->id, at->title, at->cite, at->page);
    for (size_t i = 0; i < at->n_rows; i++) print_row_of_page(&at->row[i]);
  }
}

static int play(const paper_list *list, const char *id) {
  const paper_row *row = paper_list_find(list, id);
  cb_err err = {""};
  bool as_wanted;
  if (!row) {
    fprintf(stderr, "paper: no row '%s'; './run paper' lists them\n", id);
    return 2;
  }
  if (paper_play(row, TOP, TOP "/build/paper", &as_wanted, &err) != CB_OK) {
    fprintf(stderr, "paper: %s\n", err.msg);
    return 1;
  }
  return as_wanted ? 0 : 3;
}

int main(int argc, char **argv) {
  paper_list list;
  cb_err err = {""};
  int code = 0;
  if (argc > 2) {
    fprintf(stderr, "usage: ./run paper [ID | --page]\n");
    return 2;
  }
  if (paper_list_read(TOP "/papers/papers.yaml", &list, &err) != CB_OK) {
    fprintf(stderr, "paper: %s\n", err.msg);
    code = 1;
  } else if (argc < 2) {
    print_list(&list);
  } else if (strcmp(argv[1], "--page") == 0) {
    print_page(&list);
  } else {
    code = play(&list, argv[1]);
  }
  paper_list_clear(&list);
  return code;
}
