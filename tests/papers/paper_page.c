#include "paper_page.h"

#include <math.h>
#include <string.h>

#define ABOUT                                                                                              \
  "The program grew out of five papers. This page lists their figures, tables and claimed numbers. Each "  \
  "row has a command that reproduces it, the paper's number beside ours, and a verdict. `./run paper` "    \
  "prints the list. `./run paper A9` plays one row, leaves its files in `build/paper/A9`, and writes its " \
  "numbers into `tests/papers/played.csv`. `./run paper --page` prints this page from that file and "      \
  "`tests/papers/papers.yaml`. [gallery-pictures](gallery-pictures.md) says how the pictures were made; "  \
  "`./run paper --pictures` makes them again."
#define VERDICTS                                                                                           \
  "`same`: the paper's number, within what is wanted. `better`: beyond it. `worse`, `differs`: the row "   \
  "says why. A row of pictures alone reads nothing and has no verdict: look at them. `not as written`: a " \
  "number was outside of what is wanted when the row was last played."

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

static void print_value(const paper_value *v, FILE *to) {
  char ours[40] = "not played", wanted[60];
  if (!isnan(v->number)) (void)snprintf(ours, sizeof ours, "%.4g", v->number);
  paper_value_wanted(v, wanted);
  fprintf(to, "| %s | %s | %s | %s |\n", v->what, v->paper[0] ? v->paper : "none", ours, wanted);
}

static void print_row(const paper_row *r, FILE *to) {
  char verdict[sizeof r->because + 300], played[200] = "";
  fprintf(to, "\n### %s: %s\n\n", r->id, r->shows);
  for (size_t k = 0; k < r->n_commands; k++) fprintf(to, "    %s\n", r->command[k]);
  if (r->full[0]) fprintf(to, "\nAt the paper's size: `%s`.\n", r->full);
  if (r->n_values > 0) fprintf(to, "\n| | paper | ours | wanted |\n|---|---|---|---|\n");
  for (size_t k = 0; k < r->n_values; k++) print_value(&r->value[k], to);
  if (r->n_pictures > 0) fprintf(to, "\n");
  for (size_t k = 0; k < r->n_pictures; k++) fprintf(to, "![%s](%s)\n", r->id, r->picture[k]);
  if (r->date[0])
    (void)snprintf(played, sizeof played, " Played on %s at %s on %s.", r->date, r->commit, r->machine);
  (void)snprintf(verdict, sizeof verdict, "Verdict: %s. %s%sTakes %g min.%s", paper_row_word(r), r->because,
                 r->because[0] ? " " : "", r->minutes, played);
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
