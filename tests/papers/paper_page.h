/* docs/method/gallery.md, printed from the list of papers.yaml. tests/whole/test_paper.c holds the page
 * against it.
 */
#ifndef PAPER_PAGE_H
#define PAPER_PAGE_H

#include <stdio.h>

#include "paper_list.h"

void paper_page_print(const paper_list *list, FILE *to);

#endif
