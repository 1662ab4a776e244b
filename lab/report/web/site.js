"use strict";
/* Tables: a field that filters rows by all of its words, and headings that sort. */

/* "0.523 ± 0.012" -> 0.523; what is no number sorts behind those that are. */
function sortValue(cell) {
  const text = cell ? cell.textContent.trim() : "";
  const number = parseFloat(text.replace("\u2212", "-"));
  return { text: text.toLowerCase(), number: /^[-+\u2212.\d]/.test(text) ? number : NaN };
}

function compare(a, b) {
  const an = Number.isNaN(a.number), bn = Number.isNaN(b.number);
  if (an && bn) return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  return an ? 1 : bn ? -1 : a.number - b.number;
}

function sortBy(table, column, heading) {
  const down = heading.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, row => ({ row, value: sortValue(row.cells[column]) }));
  rows.sort((a, b) => {
    const last = (r) => r.value.text === "\u2013" || r.value.text === "";
    if (last(a) !== last(b)) return last(a) ? 1 : -1;
    return down ? compare(b.value, a.value) : compare(a.value, b.value);
  });
  for (const th of table.tHead.rows[0].cells) th.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...rows.map(r => r.row));
}

function addSorting(table) {
  Array.from(table.tHead.rows[0].cells).forEach((th, i) => {
    const button = document.createElement("button");
    button.textContent = th.textContent;
    button.addEventListener("click", () => sortBy(table, i, th));
    th.replaceChildren(button);
  });
}

function csvOf(table) {
  const field = text => "\"" + text.trim().replaceAll("\"", "\"\"") + "\"";
  return Array.from(table.rows).filter(r => !r.hidden)
    .map(r => Array.from(r.cells, c => field(c.dataset.at || c.textContent)).join(",")).join("\n") + "\n";
}

function addSearch(table) {
  const line = document.createElement("div"), label = document.createElement("label"),
    input = document.createElement("input"), count = document.createElement("span"), save = document.createElement("button");
  const rows = Array.from(table.tBodies[0].rows);
  line.className = "find";
  label.textContent = "find in this table ";
  input.type = "search";
  label.append(input);
  count.className = "note";
  count.setAttribute("role", "status");
  save.textContent = "CSV of what is seen";
  save.addEventListener("click", () => saveAs("table.csv", new Blob([csvOf(table)], { type: "text/csv" })));
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(w => w);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(w => text.includes(w));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = words.length ? shown + " of " + rows.length : "";
  });
  line.append(label, save, count);
  (table.closest(".scroll") || table).before(line);
}

/* "2026-11-30T12:02:02.479Z" as people read it; what is saved keeps the whole. */
for (const cell of document.querySelectorAll("td, dd")) {
  const at = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(cell.textContent);
  if (!at) continue;
  cell.dataset.at = cell.textContent;
  cell.textContent = at[1] + " " + at[2] + " UTC";
  cell.classList.add("at");
}
for (const a of document.querySelectorAll("nav a"))
  if (a.pathname === location.pathname || (location.pathname === "/" && a.pathname === "/index.html")) a.setAttribute("aria-current", "page");
for (const table of document.querySelectorAll("table.sorts")) {
  addSorting(table);
  if (table.tBodies[0].rows.length > 5) addSearch(table);
}
/* A long table scrolls by the keyboard, too. */
for (const box of document.querySelectorAll(".scroll")) box.tabIndex = 0;
