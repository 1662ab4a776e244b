/* Workbooks as texts: places, repeated cells, formats, formulas; what is damaged, hostile or ambiguous is
 * refused. */
#include "booktest.h"
#include "cbtest.h"
#include "fit_workbook.h"

#define TEXT(path, text) \
  { path, text, sizeof(text) - 1 }
#define LIST \
  "<workbook><sheets><sheet name=\"One\" r:id=\"r1\"/><sheet name=\"Two\" r:id=\"r2\"/></sheets></workbook>"
#define TARGETS                                                               \
  "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/>" \
  "<Relationship Id=\"r2\" Target=\"/xl/worksheets/sheet2.xml\"/></Relationships>"
#define SHEET(rows) "<x:worksheet><x:sheetData>" rows "</x:sheetData></x:worksheet>"
#define ODS(rows) "<d><table:table table:name=\"T\">" rows "</table:table></d>"

typedef struct xlsx {
  const char *one, *two, *strings, *styles;
} xlsx;

/* Packs and reads; the caller frees *text. */
static cb_status read_parts(const book_part_text *parts, size_t n_parts, const char *sheet, char **text,
                            cb_err *err) {
  size_t n = 0, length;
  char used[64], *bytes = bookt_pack(parts, n_parts, &n);
  assert_non_null(bytes);
  const cb_status st = fit_workbook_text(bytes, n, "b", sheet, used, text, &length, err);
  free(bytes);
  return st;
}

static cb_status read_xlsx(const xlsx *x, const char *sheet, char **text, cb_err *err) {
  const book_part_text parts[] = {TEXT("xl/workbook.xml", LIST),
                                  TEXT("xl/_rels/workbook.xml.rels", TARGETS),
                                  {"xl/worksheets/sheet1.xml", x->one, strlen(x->one)},
                                  {"xl/worksheets/sheet2.xml", x->two, strlen(x->two)},
                                  {"xl/sharedStrings.xml", x->strings, strlen(x->strings)},
                                  {"xl/styles.xml", x->styles, strlen(x->styles)}};
  return read_parts(parts, 6, sheet, text, err);
}

static cb_status read_ods(const char *content, char **text, cb_err *err) {
  const book_part_text part = {"content.xml", content, strlen(content)};
  return read_parts(&part, 1, "", text, err);
}

static void expect(char *text, const char *want) {
  assert_string_equal(text, want);
  free(text);
}

static const xlsx book = {
    .one = SHEET(""),
    .two = SHEET(
        "<x:row r=\"2\"><x:c r=\"A2\" t=\"s\"><x:v>1</x:v></x:c><x:c r=\"C2\" t=\"inlineStr\"><x:is><x:t>a "
        "\"b\"</"
        "x:t></x:is></x:c></x:row>"
        "<x:row><x:c s=\"1\"><x:v>0.125</x:v></x:c><x:c s=\"2\"><x:v>45426.395833333336</x:v></x:c><x:c "
        "s=\"3\"><x:f>A1*2</x:f><x:v>-1.5</x:v></x:c></x:row>"
        "<x:row r=\"5\"><x:c r=\"B5\" s=\"4\"><x:v>0.5</x:v></x:c><x:c r=\"C5\" "
        "t=\"e\"><x:v>#N/A</x:v></x:c></"
        "x:row>"),
    .strings = "<sst><si><t>x</t></si><si><r><t>Kra</t></r><r><t>ft</t></r><rPh><t>no</t></rPh></si></sst>",
    .styles =
        "<s><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd hh:mm\"/><numFmt numFmtId=\"165\" "
        "formatCode=\"0.00&quot; days&quot;[Red]\"/></numFmts><cellStyleXfs><xf "
        "numFmtId=\"9\"/></cellStyleXfs>"
        "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"10\"/><xf numFmtId=\"164\"/><xf numFmtId=\"165\"/><xf "
        "numFmtId=\"46\"/></cellXfs></s>"};

static void cells_of_office_open_xml(void **state) {
  (void)state;
  char *text;
  assert_ok(read_xlsx(&book, "", &text, err));
  expect(text,
         "\n"
         "Kraft\t\t\"a \"\"b\"\"\"\n"
         "12.5 %\t2024-05-14 09:30:00.000\t-1.5\n"
         "\n"
         "\t12:00:00.000\t\"#N/A\"\n");
}

static void cells_of_open_document(void **state) {
  (void)state;
  char *text;
  assert_ok(read_ods(
      ODS("<table:table-row table:number-rows-repeated=\"2\"/>"
          "<table:table-row><table:table-cell "
          "office:value-type=\"string\"><text:p>Weg<text:s/>(mm)</text:p><text:p>s"
          "</text:p><office:annotation><text:p>no</text:p></office:annotation></table:table-cell>"
          "<table:covered-table-cell/><table:table-cell office:value-type=\"percentage\" "
          "office:value=\"0.07\"><text:p>7"
          "</text:p></table:table-cell><table:table-cell "
          "table:number-columns-repeated=\"16000\"/></table:table-row>"
          "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell office:value-type=\"float\" "
          "office:value=\"1.5\" table:number-columns-repeated=\"2\"><text:p>1,5</text:p></table:table-cell>"
          "</table:table-row><table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell/>"
          "</table:table-row>"),
      &text, err));
  expect(text, "\n\nWeg (mm) s\t\t7 %\n1.5\t1.5\t\n1.5\t1.5\t\n");
}

static void sheets_are_chosen_by_name(void **state) {
  (void)state;
  char *text;
  xlsx two = book;
  two.one = SHEET("<x:row><x:c><x:v>7</x:v></x:c></x:row>");
  assert_fails(
      CB_E_NOTFOUND,
      "b: several sheets have cells: the name of one of them was wanted; the sheets are 'One', 'Two'",
      read_xlsx(&two, "", &text, err));
  assert_fails(CB_E_NOTFOUND, "no sheet 'Three'", read_xlsx(&two, "Three", &text, err));
  assert_ok(read_xlsx(&two, "One", &text, err));
  expect(text, "7\n");
}

static void what_is_no_workbook_is_refused(void **state) {
  (void)state;
  char *text, used[64];
  size_t n;
  xlsx bad = book;
  bad.two =
      SHEET("<x:row r=\"3\"><x:c><x:v>1</x:v></x:c></x:row><x:row r=\"2\"><x:c><x:v>1</x:v></x:c></x:row>");
  assert_fails(CB_E_PARSE, "out of order", read_xlsx(&bad, "", &text, err));
  bad.two = SHEET("<x:row r=\"1048577\"><x:c><x:v>1</x:v></x:c></x:row>");
  assert_fails(CB_E_RANGE, "a cell in row 1048577", read_xlsx(&bad, "", &text, err));
  bad.two = "<x:worksheet><x:row>";
  assert_fails(CB_E_PARSE, "b: xl/worksheets/sheet2.xml:1: no element found",
               read_xlsx(&bad, "", &text, err));
  bad.two = "<!DOCTYPE a [<!ENTITY b \"cc\">]><a>&b;</a>";
  assert_fails(CB_E_PARSE, "a document type", read_xlsx(&bad, "", &text, err));
  /* Each repetition is small, all together are not. */
  assert_fails(
      CB_E_RANGE, "cells",
      read_ods(ODS("<table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell "
                   "office:value-type=\"float\" office:value=\"1\" table:number-columns-repeated=\"10000\"/>"
                   "</table:table-row>"),
               &text, err));
  assert_fails(CB_E_PARSE, "no sheet has a cell", read_ods(ODS(""), &text, err));
  assert_fails(CB_E_PARSE, "cut or damaged",
               fit_workbook_text("PK\x03\x04 rest", 9, "b", "", used, &text, &n, err));
  assert_fails(CB_E_PARSE, "an older form",
               fit_workbook_text("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, "b", "", used, &text, &n, err));
  const book_part_text other = TEXT("readme.txt", "hello");
  assert_fails(CB_E_PARSE, "no sheets are in it", read_parts(&other, 1, "", &text, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_of_office_open_xml), cmocka_unit_test(cells_of_open_document),
      cmocka_unit_test(sheets_are_chosen_by_name), cmocka_unit_test(what_is_no_workbook_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
