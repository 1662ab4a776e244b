/* Sheets of A4 as SVG, in millimetres. Private to report/. */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include "report_text.h"

#define REPORT_SHEET_W_MM 210.0
#define REPORT_SHEET_H_MM 297.0

typedef struct report_box {
  double x, y, w, h; /* millimetres */
} report_box;

/* Appends the head of a white sheet; the caller appends "</svg>\n" at its end. */
void report_svg_begin(report_text *t);
/* Appends foreign text with letters of size_mm, or smaller where it would not fit into b.w. b.x, b.y: where
 * its base line begins. style: attributes. */
void report_svg_line(report_text *t, const char *text, double size_mm, report_box b, const char *style);
/* Appends a text in lines that fit into b.w, b.h apart, and returns the base line behind the last. */
double report_svg_paragraph(report_text *t, const char *text, double size_mm, report_box b,
                            const char *style);

#endif
