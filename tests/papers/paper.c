/* paper: the five papers, row by row.
 *
 *   paper            the list: what the paper shows, its number, ours, verdict, minutes
 *   paper ID         plays one row; leaves its files in build/paper/ID, its numbers in
 * tests/papers/played.csv paper --page     docs/method/gallery.md
 *
 * Exit codes: 0; 1 an error; 2 usage; 3 a value is outside of what the row says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_page.h"
#include "paper_play.h"
#include "paper_played.h"

#define TOP CB_SOURCE_DIR
#define PLAYED TOP "/tests/papers/played.csv"

static void print_value(const paper_value *v) {
  char wanted[60];
  paper_value_wanted(v, wanted);
  printf("       %s: paper %s, ours %.4g, wanted %s\n", v->what, v->paper[0] ? v->paper : "none", v->number,
         wanted);
}

static void print_list(const paper_list *list) {
  for (size_t p = 0; p < list->n; p++) {
    printf("%s  %s\n", list->paper[p].id, list->paper[p].title);
    for (size_t i = 0; i < list->paper[p].n_rows; i++) {
      const paper_row *r = &list->paper[p].row[i];
      printf("  %-4s %-15s %4g min  %s\n", r->id, paper_row_word(r), r->minutes, r->shows);
      for (size_t k = 0; k < r->n_values; k++) print_value(&r->value[k]);
      for (size_t k = 0; k < r->n_commands; k++) printf("       $ %s\n", r->command[k]);
      if (r->because[0]) printf("       %s\n", r->because);
    }
  }
}

static int play(const paper_list *list, const char *id) {
  paper_row *row = paper_list_find(list, id);
  cb_err err = {""};
  if (!row) {
    fprintf(stderr, "paper: no row '%s'; './run paper' lists them\n", id);
    return 2;
  }
  cb_status st = paper_play(row, TOP, TOP "/build/paper", &err);
  if (st == CB_OK) st = paper_played_write(PLAYED, list, &err);
  if (st != CB_OK) {
    fprintf(stderr, "paper: %s\n", err.msg);
    return 1;
  }
  return strcmp(paper_row_word(row), "not as written") == 0 ? 3 : 0;
}

int main(int argc, char **argv) {
  paper_list list;
  cb_err err = {""};
  int code = 0;
  if (argc > 2) {
    fprintf(stderr, "usage: ./run paper [ID | --page]\n");
    return 2;
  }
  cb_status st = paper_list_read(TOP "/tests/papers/papers.yaml", &list, &err);
  if (st == CB_OK) st = paper_played_read(PLAYED, &list, &err);
  if (st != CB_OK) {
    fprintf(stderr, "paper: %s\n", err.msg);
    code = 1;
  } else if (argc < 2) {
    print_list(&list);
  } else if (strcmp(argv[1], "--page") == 0) {
    paper_page_print(&list, stdout);
  } else {
    code = play(&list, argv[1]);
  }
  paper_list_clear(&list);
  return code;
}
