#include "paper_page.h"

#include <string.h>

#define ABOUT                                                                                             \
  "The program grew out of five papers. This page lists their figures, tables and claimed numbers. Each " \
  "row has a command that reproduces it, the paper's number beside ours, and a verdict. `./run paper` "   \
  "prints the list. `./run paper A9` plays one row and leaves its files in `build/paper/A9`. "            \
  "`./run paper --page` prints this page from `tests/papers/papers.yaml`."
#define VERDICTS                                                                                           \
  "`same`: the paper's number or picture, within what is wanted. `better`: beyond it. `differs`: the row " \
  "says why. `open`: not yet."

#define COLUMNS 120

/* Prints a paragraph in lines of at most COLUMNS. */
static void print_paragraph(const char *text, FILE *to) {
  size_t column = 0;
  while (*text) {
    const size_t word = strcspn(text, " \n");
    if (column > 0 && column + 1 + word > COLUMNS) {
      fprintf(to, "\n");
      column = 0;
    }
    fprintf(to, "%s%.*s", column > 0 ? " " : "", (int)word, text);
    column += word + (column > 0);
    text += word + strspn(text + word, " \n");
  }
  fprintf(to, "\n");
}

static void print_row(const paper_row *r, FILE *to) {
  char verdict[sizeof r->because + 100];
  fprintf(to, "\n### %s: %s\n\n", r->id, r->shows);
  for (size_t k = 0; k < r->n_commands; k++) fprintf(to, "    %s\n", r->command[k]);
  if (r->full[0]) fprintf(to, "\nAt the paper's size: `%s`.\n", r->full);
  if (r->n_values > 0) fprintf(to, "\n| | paper | ours |\n|---|---|---|\n");
  for (size_t k = 0; k < r->n_values; k++)
    fprintf(to, "| %s | %s | %s |\n", r->value[k].what, r->value[k].paper[0] ? r->value[k].paper : "-",
            r->value[k].ours);
  if (r->n_pictures > 0) fprintf(to, "\n");
  for (size_t k = 0; k < r->n_pictures; k++) fprintf(to, "![%s](%s)\n", r->id, r->picture[k]);
  (void)snprintf(verdict, sizeof verdict, "Verdict: %s. %s Takes %g min.", paper_verdict_names[r->verdict],
                 r->because, r->minutes);
  fprintf(to, "\n");
  print_paragraph(verdict, to);
}

void paper_page_print(const paper_list *list, FILE *to) {
  fprintf(to, "# Gallery: the five papers, row by row\n\n");
  print_paragraph(ABOUT, to);
  fprintf(to, "\n");
  print_paragraph(VERDICTS, to);
  for (size_t p = 0; p < list->n; p++) {
    const paper *at = &list->paper[p];
    char cite[sizeof at->cite + sizeof at->page + 20];
    (void)snprintf(cite, sizeof cite, "%s Details: %s.", at->cite, at->page);
    fprintf(to, "\n## %s. %s\n\n", at->id, at->title);
    print_paragraph(cite, to);
    for (size_t i = 0; i < at->n_rows; i++) print_row(&at->row[i], to);
  }
}
