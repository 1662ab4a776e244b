/* A workbook: a text without NUL bytes, or one sentence. The first byte says what the rest is: a file, the
 * content of an .ods, or of an .xlsx the sheet, the shared strings, the formats, or the list of sheets. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kit/booktest.h"
#include "fit_workbook.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TEXT(path, text) \
  { path, text, sizeof(text) - 1 }

static void read_book(const char *bytes, size_t n) {
  char used[64], *text;
  size_t length;
  cb_err err = {""};
  if (!fit_workbook_is(bytes, n)) return;
  if (fit_workbook_text(bytes, n, "f", "", used, &text, &length, &err) != CB_OK) {
    if (!err.msg[0] || text) __builtin_trap();
    return;
  }
  if (strlen(text) != length || strlen(used) >= sizeof used) __builtin_trap();
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const char *xml = (const char *)data + 1;
  book_part_text parts[] = {
      TEXT("xl/worksheets/sheet1.xml",
           "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" "
           "s=\"1\"><v>0.5</v></c>"
           "</row></sheetData></worksheet>"),
      TEXT("xl/sharedStrings.xml", "<sst><si><t>Kraft</t></si></sst>"),
      TEXT("xl/styles.xml",
           "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"9\"/></cellXfs></styleSheet>"),
      TEXT("xl/workbook.xml", "<workbook><sheets><sheet name=\"A\" r:id=\"r1\"/></sheets></workbook>"),
      TEXT("xl/_rels/workbook.xml.rels",
           "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"),
      {"content.xml", xml, size - 1}};
  const int which = data[0] % 6;
  if (which == 5) {
    read_book(xml, size - 1);
    return 0;
  }
  size_t n;
  if (which < 4) parts[which].text = xml, parts[which].n = size - 1;
  char *bytes = which < 4 ? bookt_pack(parts, 5, &n) : bookt_pack(parts + 5, 1, &n);
  if (bytes) read_book(bytes, n);
  free(bytes);
  return 0;
}
