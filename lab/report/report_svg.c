#include "report_svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static size_t count_letters(const char *text) {
  size_t n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

void report_svg_line(report_text *t, const char *text, double size_mm, report_box b, const char *style) {
  if (!text[0]) return;
  const double fits = fmin(size_mm, b.w / (LETTER_W * (double)count_letters(text)));
  report_text_addf(t, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" %s>", b.x, b.y, fits, style);
  report_text_html(t, text);
  report_text_add(t, "</text>\n");
}

/* How many bytes of the text fit into a line: up to the last space that fits, or all of a word. */
static size_t fitting(const char *text, size_t letters) {
  size_t n = 0, fits = 0;
  for (size_t i = 0; text[i]; i++) {
    if (text[i] == ' ') fits = i;
    if (((unsigned char)text[i] & 0xc0) != 0x80 && ++n > letters && fits > 0) return fits;
  }
  return strlen(text);
}

double report_svg_paragraph(report_text *t, const char *text, double size_mm, report_box b,
                            const char *style) {
  const size_t letters = (size_t)(b.w / (TEXT_W * size_mm));
  while (*text) {
    char line[400];
    const size_t n = fitting(text, letters);
    (void)snprintf(line, sizeof line, "%.*s", (int)n, text);
    report_text_addf(t, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" %s>", b.x, b.y, size_mm, style);
    report_text_html(t, line);
    report_text_add(t, "</text>\n");
    b.y += b.h;
    text += n;
    text += strspn(text, " ");
  }
  return b.y;
}
