"use strict";
/* Figures: report_plot_json's numbers drawn with d3, to zoom, point at and click. One `Plot` for each
 * figure. Drag zooms, a double click shows all; + - 0 and the arrows do the same by keyboard. */

const MARGIN = { left: 64, right: 16, top: 10, bottom: 46 };
const COLOURS = 7, NEAR_PX = 24;
/* Of the points of other databases. */
const MARKS = [["diamond", "\u25c7"], ["square", "\u25a1"], ["triangle-up", "\u25b3"], ["triangle-down", "\u25bd"]];

function saveAs(name, blob) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

function button(text, action) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", action);
  return b;
}

/* Significant digits as people read them. */
const digits = v => Number(v.toPrecision(5)).toString();

class Plot {
  constructor(figure) {
    this.figure = figure;
    this.data = JSON.parse(figure.querySelector("script").textContent);
    this.hidden = new Set();
    this.log = { x: this.data.log_x, y: this.data.log_y };
    this.view = null; /* {x: [from, to], y: [from, to]}; null: all */
    this.at = -1;     /* place among the points, for the keyboard */
    this.build();
    this.draw();
    new ResizeObserver(() => this.draw()).observe(figure);
  }

  build() {
    const caption = this.figure.querySelector("figcaption"), title = document.createElement("h3");
    title.textContent = this.data.title;
    this.svg = d3.select(this.figure).insert("svg", "figcaption").attr("tabindex", 0)
      .attr("role", "img").attr("aria-label", this.data.title + ". " + this.data.y + " over " + this.data.x +
        ". Arrows go from point to point, Enter opens the run of a point, plus and minus zoom, 0 shows all.");
    this.told = document.createElement("div");
    this.told.className = "told";
    this.told.setAttribute("aria-live", "polite");
    this.key = document.createElement("div");
    this.key.className = "key";
    this.tools = document.createElement("div");
    this.tools.className = "tools";
    this.tools.append(
      button("+", () => this.zoom(0.6)), button("\u2212", () => this.zoom(1 / 0.6)), button("all", () => this.reset()),
      button("log x", () => this.toggleLog("x")), button("log y", () => this.toggleLog("y")),
      button("SVG", () => this.saveSvg()), button("PNG", () => this.savePng()), button("CSV", () => this.saveCsv()));
    this.addOverlay();
    this.figure.prepend(title);
    caption.before(this.told, this.key, this.tools);
    this.listen();
  }

  listen() {
    const node = this.svg.node();
    node.addEventListener("mousemove", e => this.drag ? this.stretch(e) : this.point(this.near(e)));
    node.addEventListener("mousedown", e => { this.drag = { from: this.place(e), to: this.place(e) }; e.preventDefault(); node.focus(); });
    window.addEventListener("mouseup", e => this.drop(e));
    node.addEventListener("dblclick", () => this.reset());
    node.addEventListener("keydown", e => this.press(e));
  }

  /* ---- what is drawn ---- */

  seen() {
    const names = this.data.series.filter(s => s.name && !s.quiet && s.style !== "band" && s.style !== "guide");
    return this.data.series.filter(s => {
      if (this.hidden.has(s.name)) return false;
      const same = names.filter(n => n.color === s.color);
      return s.style === "guide" || !same.length || same.some(n => !this.hidden.has(n.name));
    });
  }

  range(axis) {
    let low = Infinity, high = -Infinity;
    for (const s of this.seen()) {
      const v = axis === "x" ? s.x : s.a, b = s.b;
      for (let i = 0; i < v.length; i++) {
        let from = v[i], to = v[i];
        if (axis === "y" && b) {
          if (s.style === "band") to = b[i];
          else if (s.style === "points") { from -= b[i]; to += b[i]; }
        }
        if (this.log[axis] && from <= 0) from = v[i];
        if (this.log[axis] && from <= 0) continue;
        low = Math.min(low, from, to);
        high = Math.max(high, from, to);
      }
    }
    if (low > high) return [0, 1];
    const zero = (axis === "x" ? this.data.zero : this.data.zero_y) && !this.log[axis];
    if (zero) low = Math.min(low, 0);
    if (low === high) return this.log[axis] ? [low / 2, high * 2] : [low - 1, high + 1];
    if (this.log[axis]) { const f = Math.pow(high / low, 0.04); return [low / f, high * f]; }
    const pad = 0.04 * (high - low);
    return [zero && low === 0 ? 0 : low - pad, high + pad];
  }

  scales() {
    const w = this.width - MARGIN.left - MARGIN.right, h = this.height - MARGIN.top - MARGIN.bottom;
    let x = this.view ? this.view.x : this.range("x"), y = this.view ? this.view.y : this.range("y");
    if (this.data.equal) {
      const unit = Math.max((x[1] - x[0]) / w, (y[1] - y[0]) / h), mx = (x[0] + x[1]) / 2, my = (y[0] + y[1]) / 2;
      x = [mx - unit * w / 2, mx + unit * w / 2];
      y = [my - unit * h / 2, my + unit * h / 2];
    }
    const scale = log => log ? d3.scale.log() : d3.scale.linear();
    this.x = scale(this.log.x).domain(x).range([MARGIN.left, MARGIN.left + w]);
    this.y = scale(this.log.y).domain(y).range([MARGIN.top + h, MARGIN.top]);
  }

  draw() {
    const width = this.figure.clientWidth;
    if (!width) return;
    this.width = width;
    this.height = Math.round(Math.min(560, Math.max(260, (this.data.equal ? 0.9 : 0.6) * width)));
    this.scales();
    this.svg.attr("viewBox", "0 0 " + this.width + " " + this.height).attr("height", this.height);
    this.svg.selectAll("*").remove();
    const clip = "clip" + Plot.list.indexOf(this);
    this.svg.append("clipPath").attr("id", clip).append("rect").attr("x", MARGIN.left).attr("y", MARGIN.top)
      .attr("width", this.width - MARGIN.left - MARGIN.right).attr("height", this.height - MARGIN.top - MARGIN.bottom);
    this.drawAxes();
    const inside = this.svg.append("g").attr("clip-path", "url(#" + clip + ")");
    for (const s of this.seen()) this.drawSeries(inside, s);
    this.mark = inside.append("circle").attr("r", 8).attr("fill", "none").attr("stroke", "var(--ink)").attr("stroke-width", 2).attr("visibility", "hidden");
    this.box = inside.append("rect").attr("fill", "var(--accent)").attr("fill-opacity", 0.15).attr("visibility", "hidden");
    this.drawKey();
  }

  ticks(scale, log, n) {
    if (!log) return scale.ticks(n);
    const d = scale.domain(), all = scale.ticks();
    if (Math.log10(d[1] / d[0]) < 1) return d3.scale.linear().domain(d).ticks(n).filter(v => v > 0);
    return all.filter(v => { const m = v / Math.pow(10, Math.floor(Math.log10(v) + 1e-9)); return [1, 2, 5].some(k => Math.abs(m - k) < 1e-6); });
  }

  drawAxes() {
    const left = MARGIN.left, right = this.width - MARGIN.right, top = MARGIN.top, bottom = this.height - MARGIN.bottom;
    const g = this.svg.append("g");
    for (const v of this.ticks(this.x, this.log.x, this.width / 90)) {
      g.append("line").attr("class", "grid").attr("stroke", "var(--line)").attr("x1", this.x(v)).attr("x2", this.x(v)).attr("y1", top).attr("y2", bottom);
      g.append("text").attr("x", this.x(v)).attr("y", bottom + 18).attr("text-anchor", "middle").text(digits(v));
    }
    for (const v of this.ticks(this.y, this.log.y, this.height / 60)) {
      g.append("line").attr("class", "grid").attr("stroke", "var(--line)").attr("x1", left).attr("x2", right).attr("y1", this.y(v)).attr("y2", this.y(v));
      g.append("text").attr("x", left - 8).attr("y", this.y(v) + 4).attr("text-anchor", "end").text(digits(v));
    }
    g.append("rect").attr("class", "frame").attr("fill", "none").attr("stroke", "var(--soft)").attr("x", left).attr("y", top).attr("width", right - left).attr("height", bottom - top);
    g.append("text").attr("x", (left + right) / 2).attr("y", this.height - 8).attr("text-anchor", "middle").text(this.data.x);
    g.append("text").attr("transform", "translate(14," + (top + bottom) / 2 + ") rotate(-90)").attr("text-anchor", "middle").text(this.data.y);
  }

  /* The lowest and the highest value of each pixel, so that no peak is lost. */
  path(s) {
    const out = [], n = s.x.length;
    let from = 0, to = n;
    const rises = n < 3000 || s.x.every((v, i) => i === 0 || v >= s.x[i - 1]);
    if (n >= 3000 && rises) {
      const d = this.x.domain();
      from = Math.max(0, d3.bisectLeft(s.x, d[0]) - 1);
      to = Math.min(n, d3.bisectRight(s.x, d[1]) + 1);
    }
    const per = rises ? Math.max(1, Math.floor((to - from) / (2 * this.width))) : 1;
    for (let i = from; i < to; i += per) {
      let low = i, high = i;
      for (let k = i; k < Math.min(to, i + per); k++) {
        if (s.a[k] < s.a[low]) low = k;
        if (s.a[k] > s.a[high]) high = k;
      }
      for (const k of low === high ? [low] : low < high ? [low, high] : [high, low])
        if (!(this.log.x && s.x[k] <= 0) && !(this.log.y && s.a[k] <= 0)) out.push([this.x(s.x[k]), this.y(s.a[k])]);
    }
    return out.length ? "M" + out.map(p => p[0].toFixed(1) + "," + p[1].toFixed(1)).join("L") : "";
  }

  drawSeries(g, s) {
    const colour = s.style === "guide" ? "var(--line)" : "var(--c" + s.color % COLOURS + ")";
    if (s.style === "points") return this.drawPoints(g, s, colour);
    if (s.style === "band") {
      const ok = s.x.map((v, i) => i).filter(i => !(this.log.x && s.x[i] <= 0) && !(this.log.y && s.a[i] <= 0));
      const edge = (list, v) => list.map(i => this.x(s.x[i]).toFixed(1) + "," + this.y(v[i]).toFixed(1)).join("L");
      if (ok.length) g.append("path").attr("fill", colour).attr("fill-opacity", 0.16).attr("d", "M" + edge(ok, s.a) + "L" + edge(ok.slice().reverse(), s.b || s.a) + "Z");
      return null;
    }
    return g.append("path").attr("fill", "none").attr("stroke", colour).attr("stroke-width", s.style === "guide" ? 1 : 1.8)
      .attr("stroke-dasharray", s.style === "dash" ? "7 5" : null).attr("d", this.path(s));
  }

  drawPoints(g, s, colour) {
    for (let i = 0; i < s.x.length; i++) {
      if ((this.log.x && s.x[i] <= 0) || (this.log.y && s.a[i] <= 0)) continue;
      const x = this.x(s.x[i]);
      if (s.b && s.b[i] > 0) {
        const low = this.log.y ? Math.max(s.a[i] - s.b[i], this.y.domain()[0]) : s.a[i] - s.b[i];
        g.append("line").attr("stroke", colour).attr("stroke-opacity", 0.6).attr("x1", x).attr("x2", x).attr("y1", this.y(low)).attr("y2", this.y(s.a[i] + s.b[i]));
      }
      if (s.mark) g.append("path").attr("transform", "translate(" + x + "," + this.y(s.a[i]) + ")").attr("fill", "var(--paper)").attr("stroke", colour)
        .attr("stroke-width", 1.5).attr("d", d3.svg.symbol().type(MARKS[(s.mark - 1) % MARKS.length][0]).size(50)());
      else g.append("circle").attr("cx", x).attr("cy", this.y(s.a[i])).attr("r", 3.5).attr("fill", colour);
    }
    return null;
  }

  drawKey() {
    const names = [];
    for (const s of this.data.series)
      if (s.name && !s.quiet && s.style !== "band" && s.style !== "guide" && !names.some(n => n.name === s.name)) names.push(s);
    const old = document.activeElement && this.key.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.key.replaceChildren(...(names.length < 2 ? [] : names.map(s => {
      const b = button((s.mark ? MARKS[(s.mark - 1) % MARKS.length][1] + " " : "") + s.name, () => {
        if (!this.hidden.delete(s.name)) this.hidden.add(s.name);
        this.draw();
      });
      b.className = "k" + s.color % COLOURS + (s.style === "dash" ? " dashed" : "");
      b.setAttribute("aria-pressed", String(!this.hidden.has(s.name)));
      return b;
    })));
    for (const b of this.key.children) if (b.textContent === old) b.focus();
  }

  /* ---- pointing ---- */

  place(e) {
    const r = this.svg.node().getBoundingClientRect();
    return [(e.clientX - r.left) * this.width / r.width, (e.clientY - r.top) * this.height / r.height];
  }

  near(e) {
    const [px, py] = this.place(e);
    let best = null, least = NEAR_PX;
    for (const s of this.seen()) {
      if (s.style === "band" || s.style === "guide") continue;
      for (let i = 0; i < s.x.length; i++) {
        const d = Math.hypot(this.x(s.x[i]) - px, this.y(s.a[i]) - py) - (s.run ? 6 : 0);
        if (d < least) { least = d; best = { s, i }; }
      }
    }
    return best;
  }

  point(found) {
    this.found = found;
    this.svg.style("cursor", found && found.s.run && found.s.run[found.i] ? "pointer" : "crosshair");
    if (!found) { this.mark.attr("visibility", "hidden"); this.told.textContent = ""; return; }
    const { s, i } = found;
    this.mark.attr("visibility", "visible").attr("cx", this.x(s.x[i])).attr("cy", this.y(s.a[i]));
    this.told.textContent = (s.name ? s.name + ": " : "") + digits(s.a[i]) + (s.style === "points" && s.b && s.b[i] ? " \u00b1 " + Number(s.b[i].toPrecision(2)) : "") +
      " at " + digits(s.x[i]) + (s.run && s.run[i] ? "; run " + s.run[i] : "");
  }

  open() {
    const f = this.found;
    if (f && f.s.run && f.s.run[f.i]) window.location.href = (f.s.folder || "") + "run-" + f.s.run[f.i] + ".html";
  }

  /* ---- zooming ---- */

  stretch(e) {
    this.drag.to = this.place(e);
    const [a, b] = [this.drag.from, this.drag.to];
    this.box.attr("visibility", "visible").attr("x", Math.min(a[0], b[0])).attr("y", Math.min(a[1], b[1]))
      .attr("width", Math.abs(a[0] - b[0])).attr("height", Math.abs(a[1] - b[1]));
  }

  drop(e) {
    if (!this.drag) return;
    const [a, b] = [this.drag.from, this.place(e)];
    this.drag = null;
    this.box.attr("visibility", "hidden");
    if (Math.hypot(a[0] - b[0], a[1] - b[1]) < 5) { this.point(this.near(e)); this.open(); return; }
    if (Math.abs(a[0] - b[0]) < 5 || Math.abs(a[1] - b[1]) < 5) return;
    const span = (s, k) => [s.invert(Math.min(a[k], b[k])), s.invert(Math.max(a[k], b[k]))].sort((p, q) => p - q);
    this.view = { x: span(this.x, 0), y: span(this.y, 1) };
    this.draw();
  }

  zoom(by, dx = 0, dy = 0) {
    const about = (s, log, shift) => {
      const [from, to] = s.domain().map(v => log ? Math.log(v) : v), m = (from + to) / 2 + shift * (to - from), h = (to - from) / 2 * by;
      return [m - h, m + h].map(v => log ? Math.exp(v) : v);
    };
    this.view = { x: about(this.x, this.log.x, dx), y: about(this.y, this.log.y, dy) };
    this.draw();
  }

  reset() { this.view = null; this.draw(); }

  toggleLog(axis) {
    this.log[axis] = !this.log[axis];
    this.view = null;
    this.draw();
  }

  press(e) {
    const moves = { "+": () => this.zoom(0.6), "-": () => this.zoom(1 / 0.6), "0": () => this.reset(), Enter: () => this.open() };
    const shifts = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, 0.2], ArrowDown: [0, -0.2] };
    if (e.key in moves) moves[e.key]();
    else if (e.key in shifts && e.shiftKey) this.zoom(1, ...shifts[e.key]);
    else if (e.key === "ArrowLeft" || e.key === "ArrowRight") this.step(e.key === "ArrowRight" ? 1 : -1);
    else return;
    e.preventDefault();
  }

  step(by) {
    const points = [];
    for (const s of this.seen()) if (s.style === "points") for (let i = 0; i < s.x.length; i++) points.push({ s, i });
    if (!points.length) return;
    points.sort((p, q) => p.s.x[p.i] - q.s.x[q.i]);
    this.at = (this.at + by + points.length) % points.length;
    this.point(points[this.at]);
  }

  /* ---- another page's curves over these ---- */

  addOverlay() {
    const kind = /\/(pair|cloth)[-.]/.exec(location.pathname), pages = kind && kind[1] === "pair" ? ["matrix.html", "a[href^='pair-']"] : ["cloths.html", "a[href^='cloth-']"];
    if (!kind) return;
    const select = document.createElement("select");
    select.setAttribute("aria-label", "lay another over this figure");
    select.append(new Option("lay another over this", ""));
    const other = new RegExp("^[1-9]/" + kind[1] + "-"), seen = new Set();
    for (const a of document.querySelectorAll("main a[href]")) {
      const to = a.getAttribute("href");
      if (!other.test(to) || seen.has(to)) continue;
      seen.add(to);
      select.append(new Option("the same in " + a.textContent, to));
    }
    select.addEventListener("focus", () => Plot.fill(select, pages), { once: true });
    select.addEventListener("change", () => select.value && this.overlay(select.value, select.selectedOptions[0].textContent));
    this.tools.append(select);
  }

  static async fill(select, [page, links]) {
    const doc = new DOMParser().parseFromString(await (await fetch(page)).text(), "text/html");
    const heads = Array.from(doc.querySelectorAll("thead th"), th => th.textContent);
    for (const a of doc.querySelectorAll(links)) {
      const cell = a.closest("td"), row = a.closest("tr");
      select.append(new Option(row.cells[0] === cell ? a.textContent : row.cells[0].textContent + " on " + heads[cell.cellIndex], a.getAttribute("href")));
    }
  }

  /* Of another database: its directions have the colours of these, other marks and dashed laws. */
  async overlay(page, choice) {
    const doc = new DOMParser().parseFromString(await (await fetch(page)).text(), "text/html");
    for (const script of doc.querySelectorAll("figure.plot script")) {
      const other = JSON.parse(script.textContent);
      if (other.y !== this.data.y || other.x !== this.data.x) continue;
      const folder = /^[1-9]\//.exec(page), own = this.data.series.slice(), shift = 1 + Math.max(...own.map(s => s.color)), banner = doc.querySelector(".banner[role=note] b");
      const whose = (folder ? choice.slice(choice.indexOf(" in ") + 4) : doc.querySelector("h1").textContent) + (folder && banner ? " (" + banner.textContent.toLowerCase().replace(".", "") + ")" : "");
      const colour = s => { const same = folder && own.find(o => o.name === s.name); return same ? same.color : s.color + shift; };
      for (const s of other.series)
        if (s.style !== "guide") this.data.series.push({ ...s, name: whose + ", " + s.name, color: colour(s), ...(folder ? { folder: folder[0], mark: Number(folder[0][0]), style: s.style === "line" ? "dash" : s.style } : {}) });
      this.view = null;
      this.draw();
      return;
    }
    this.told.textContent = "That page has no figure of the same axes.";
  }

  /* ---- saving ---- */

  /* Colours as they are on the screen: a file knows no variables. */
  svgText() {
    const style = getComputedStyle(document.documentElement), copy = this.svg.node().cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", this.width);
    const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [k, v] of Object.entries({ width: this.width, height: this.height, fill: "var(--paper)" })) paper.setAttribute(k, v);
    copy.prepend(paper);
    for (const t of copy.querySelectorAll("text")) { t.setAttribute("fill", "var(--ink)"); t.setAttribute("font-family", "sans-serif"); t.setAttribute("font-size", "13"); }
    return new XMLSerializer().serializeToString(copy).replace(/var\((--\w+)\)/g, (all, name) => style.getPropertyValue(name).trim());
  }

  saveSvg() { saveAs("figure.svg", new Blob([this.svgText()], { type: "image/svg+xml" })); }

  savePng() {
    const picture = new Image(), canvas = document.createElement("canvas");
    canvas.width = 2 * this.width;
    canvas.height = 2 * this.height;
    picture.onload = () => {
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(blob => saveAs("figure.png", blob));
    };
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(this.svgText());
  }

  saveCsv() {
    const [x0, x1] = this.x.domain(), [y0, y1] = this.y.domain(), field = t => "\"" + t.replaceAll("\"", "\"\"") + "\"";
    const rows = ["series,style," + field(this.data.x) + "," + field(this.data.y) + ",bar or upper edge,run"];
    for (const s of this.seen())
      for (let i = 0; i < s.x.length; i++)
        if (s.style !== "guide" && s.x[i] >= x0 && s.x[i] <= x1 && s.a[i] >= y0 && s.a[i] <= y1)
          rows.push([field(s.name), s.style, s.x[i], s.a[i], s.b ? s.b[i] : "", s.run && s.run[i] ? s.run[i] : ""].join(","));
    saveAs("figure.csv", new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
  }
}

Plot.list = [];
for (const figure of document.querySelectorAll("figure.plot")) {
  Plot.list.push(null);
  Plot.list[Plot.list.length - 1] = new Plot(figure);
}
