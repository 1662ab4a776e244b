#include "report_svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_columns.h"

/* Widths of letters in units of their size: of a name with capitals; of a paragraph, on average. */
#define LETTER_W 0.62
#define TEXT_W 0.52

void report_svg_begin(report_text *t) {
  report_text_addf(
      t,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%gmm\" height=\"%gmm\" viewBox=\"0 0 %g "
      "%g\" font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" "
      "fill=\"#fff\"/>\n",
      REPORT_SHEET_W_MM, REPORT_SHEET_H_MM, REPORT_SHEET_W_MM, REPORT_SHEET_H_MM);
}

void report_svg_line(report_text *t, const char *text, double size_mm, report_box b, const char *style) {
  if (!text[0]) return;
  const double fits = fmin(size_mm, b.w / (LETTER_W * (double)cb_columns(text, strlen(text))));
  report_text_addf(t, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" %s>", b.x, b.y, fits, style);
  report_text_in(t, "", text, "</text>\n");
}

/* How many bytes of the text fit into a line: the words that fit, at least one. */
static size_t fitting(const char *text, size_t letters) {
  size_t fits = 0;
  for (size_t n = 0; text[n]; fits = n) {
    n += strspn(text + n, " \n");
    n += cb_columns_word(text + n);
    if (fits > 0 && cb_columns(text, n) > letters) break;
  }
  return fits;
}

double report_svg_paragraph(report_text *t, const char *text, double size_mm, report_box b,
                            const char *style) {
  const size_t letters = (size_t)(b.w / (TEXT_W * size_mm));
  while (*text) {
    char line[400];
    const size_t n = fitting(text, letters);
    (void)snprintf(line, sizeof line, "%.*s", (int)n, text);
    report_text_addf(t, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" %s>", b.x, b.y, size_mm, style);
    report_text_in(t, "", line, "</text>\n");
    b.y += b.h;
    text += n;
    text += strspn(text, " ");
  }
  return b.y;
}
