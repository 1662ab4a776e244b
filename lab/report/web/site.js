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
/* ---- units ---- */

/* From the program's units: [factor, unit]. Standard gravity 9.80665 m/s2; 1 oz/yd2 = 33.9057 g/m2; 1 ft/min = 5.08 mm/s. */
const UNITS = {
  "SI": {},
  "KES (gf, cm)": {
    "N": [101.97162, "gf"], "N/m": [1.0197162, "gf/cm"], "\u00b5N m": [1 / 98.0665, "gf cm\u00b2/cm"], "mm/s": [0.1, "cm\u00b3/(cm\u00b2 s)"],
    "g/m\u00b2": [0.1, "mg/cm\u00b2"]
  },
  "US (oz, lbf, in)": {
    "N": [0.22480894, "lbf"], "N/m": [0.0057101472, "lbf/in"], "mm/s": [0.19685039, "ft\u00b3/(ft\u00b2 min)"], "g/m\u00b2": [0.029493525, "oz/yd\u00b2"],
    "mm": [0.039370079, "in"]
  }
};

function digitsOf(text) {
  return text.replace(/e.*/i, "").replace(/[^\d]/g, "").replace(/^0+/, "").length || 1;
}

/* Decimals so that the number has as many digits as it was written with. */
function decimalsOf(text, value) {
  return value === 0 ? 0 : Math.min(12, Math.max(0, digitsOf(text) - 1 - Math.floor(Math.log10(Math.abs(value)))));
}

/* "50.0 \u00b1 2.0" in another unit, to the same digit of its uncertainty; what is no such number stays. */
function converted(text, factor) {
  const found = /^(\s*)([-+\u2212]?[\d.]+(?:e[-+]?\d+)?)(?: \u00b1 ([\d.]+(?:e[-+]?\d+)?))?(?=$|\s|\*)/.exec(text);
  if (!found) return text;
  const value = factor * parseFloat(found[2].replace("\u2212", "-")), u = found[3] ? factor * parseFloat(found[3]) : NaN;
  const decimals = found[3] ? decimalsOf(found[3], u) : decimalsOf(found[2], value);
  return found[1] + value.toFixed(decimals) + (found[3] ? " \u00b1 " + u.toFixed(decimals) : "") + text.slice(found[0].length);
}

/* The text that stands for a cell, though a link or a button may hold it. */
function textOf(cell) {
  const all = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  return all.nextNode();
}

/* What can be shown otherwise: a heading with its column, a fact with its unit behind it. */
function findQuantities() {
  const list = [];
  for (const table of document.querySelectorAll("table"))
    for (const th of table.rows.length ? table.rows[0].cells : []) {
      const unit = /\[(.+)\]/.exec(th.textContent);
      if (unit && textOf(th))
        list.push({ unit: unit[1], head: textOf(th), texts: Array.from(table.rows).slice(1).map(r => r.cells[th.cellIndex] && textOf(r.cells[th.cellIndex])).filter(t => t) });
    }
  for (const dd of document.querySelectorAll("dd")) {
    const unit = /^[-\d.]+(?: \u00b1 [\d.]+)? (\S.*)$/.exec(dd.textContent);
    if (unit && textOf(dd)) list.push({ unit: unit[1], head: textOf(dd), texts: [textOf(dd)] });
  }
  for (const q of list) q.plain = q.texts.map(t => t.data);
  for (const q of list) q.title = q.head.data;
  return list.filter(q => Object.values(UNITS).some(set => set[q.unit]));
}

function showUnits(quantities, set) {
  for (const q of quantities) {
    const [factor, unit] = UNITS[set][q.unit] || [1, q.unit];
    q.texts.forEach((t, i) => { t.data = factor === 1 ? q.plain[i] : converted(q.plain[i], factor); });
    if (q.head !== q.texts[0]) q.head.data = q.title.replace("[" + q.unit + "]", "[" + unit + "]");
    else if (factor !== 1) q.head.data = q.head.data.replace(q.unit, unit);
  }
}

function addUnits() {
  const quantities = findQuantities(), bar = document.querySelector("nav");
  if (!quantities.length || !bar) return;
  const choice = document.createElement("select");
  choice.setAttribute("aria-label", "units");
  for (const name of Object.keys(UNITS)) choice.add(new Option(name, name));
  const last = localStorage.getItem("units");
  if (last in UNITS) choice.value = last;
  choice.addEventListener("change", () => { localStorage.setItem("units", choice.value); showUnits(quantities, choice.value); });
  showUnits(quantities, choice.value);
  bar.append(choice);
}
addUnits();
/* A long table scrolls by the keyboard, too. */
for (const box of document.querySelectorAll(".scroll")) box.tabIndex = 0;
/* Pages of another database lie in a folder: who looks at them shall know so, and come back. */
if (/^\/[1-9]\//.test(location.pathname)) {
  const note = document.createElement("p"), back = document.createElement("a"), path = / database (.*?)(?:, schema|$)/m.exec(document.querySelector("footer").textContent);
  note.className = "banner elsewhere";
  back.href = "/index.html";
  back.textContent = "Back to the first database";
  note.append("Another database, which is only read: " + (path ? path[1] : "") + ". ", back);
  document.querySelector("main").prepend(note);
  for (const a of document.querySelectorAll("a[href='live.html']")) a.closest("li, p").remove();
}
