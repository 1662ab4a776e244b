"use strict";
const $ = id => document.getElementById(id);
let state = null;

function text(id, s) { if ($(id).textContent !== s) $(id).textContent = s; }

function cellRows(run) {
  const dl = $("cell");
  dl.replaceChildren();
  if (!run) return;
  const rows = [["angle", run.angle_deg + "\u00b0"], ["load", run.normal_force_N.toFixed(2) + " N"],
    ["on the cart", Math.round(run.added_mass_kg * 1e5) / 100 + " g"],
    ["repeat", run.repeat + (run.direction < 0 ? ", backward" : ", forward")], ["run", run.run_id + " (" + run.status + ")"]];
  for (const [name, value] of rows) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name; dd.textContent = value;
    dl.append(dt, dd);
  }
}

function niceStep(range) {
  const raw = range / 5, power = Math.pow(10, Math.floor(Math.log10(raw)));
  for (const m of [1, 2, 5, 10]) if (m * power >= raw) return m * power;
}

function draw() {
  const c = $("canvas"), box = c.parentElement, scale = window.devicePixelRatio || 1;
  const w = box.clientWidth, h = box.clientHeight;
  if (c.width !== Math.round(w * scale) || c.height !== Math.round(h * scale)) { c.width = Math.round(w * scale); c.height = Math.round(h * scale); }
  const g = c.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, w, h);
  const curves = state ? state.repeats.concat(state.run ? [state.run] : []) : [];
  const points = curves.flatMap(r => r.samples);
  g.font = "14px DejaVu Sans, sans-serif";
  g.fillStyle = getComputedStyle(document.body).color;
  if (points.length === 0) { g.fillText("no samples yet", 16, 28); return; }
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let t0 = 0, t1 = 1e-3, low = 0, high = 1e-3;
  for (const [t, f] of points) { t0 = Math.min(t0, t); t1 = Math.max(t1, t); low = Math.min(low, f); high = Math.max(high, f); }
  const left = 58, right = w - 14, top = 14, bottom = h - 34, x = t => left + (right - left) * (t - t0) / (t1 - t0),
    pad = (high - low) * 0.06, y = f => bottom - (bottom - top) * (f - low + pad) / (high - low + 2 * pad);
  g.strokeStyle = colour("--line"); g.lineWidth = 1;
  g.textAlign = "right";
  const fs = niceStep(high - low), ts = niceStep(t1);
  for (let f = Math.ceil((low - pad) / fs) * fs; f <= high + pad; f += fs) {
    g.beginPath(); g.moveTo(left, y(f)); g.lineTo(right, y(f)); g.stroke();
    g.fillText(Math.abs(f) < fs * 1e-6 ? "0" : Number(f.toPrecision(6)).toString(), left - 8, y(f) + 5);
  }
  g.textAlign = "center";
  for (let t = 0; t <= t1; t += ts) g.fillText(Number(t.toPrecision(6)).toString(), x(t), h - 14);
  g.textAlign = "right";
  g.fillText("force [N] over time in the run [s]", right - 4, top + 4);
  curves.forEach(r => {
    const live = state.run && r.run_id === state.run.run_id;
    g.strokeStyle = colour(live ? "--blue" : "--old");
    g.lineWidth = live ? 2.5 : 1.5;
    g.beginPath();
    r.samples.forEach(([t, f], k) => k ? g.lineTo(x(t), y(f)) : g.moveTo(x(t), y(f)));
    g.stroke();
  });
}

function show() {
  const s = state, c = s.campaign;
  text("pair", c ? c.cloth + (c.lot ? ", lot " + c.lot : "") + " on " + c.body : "no campaign yet");
  text("when", c ? "campaign " + c.campaign_id + " \u2018" + c.name + "\u2019" + (c.finished ? ", finished" : "") : s.database);
  $("force").firstChild.data = s.force_N === null ? "\u2013" : s.force_N.toFixed(3).replace("-", "\u2212");
  cellRows(s.run);
  const planned = c ? c.runs_planned : null;
  $("bar").max = planned || 1;
  $("bar").value = c ? c.runs_done : 0;
  text("left", (s.verdicts ? s.verdicts + "; " : "") + (!c ? "" : planned === null ? c.runs_done + " runs done" : c.runs_done + " of " + planned + " runs done, " + (planned - c.runs_done) + " left"));
  const v = s.verdict;
  text("verdict", v ? "Run " + v.run_id + " is " + v.validity + (v.sentence ? ": " + v.sentence + " (" + v.figures + "). What helps: " + v.advice : "") + "." : "");
  $("verdict").className = v ? v.validity : "";
  const goesOn = "'clothbench run FILE --rig RIG --resume --db " + s.database + "' goes on with it.";
  const broken = c && c.broken_off ? "The campaign has broken off: " + c.broken_off + (c.stage ? ". Then " + c.stage : "") + ". " + goesOn :
    c && !c.finished && !c.measured_by ? "No program measures this campaign now. " + goesOn : "";
  text("do", s.instruction || broken || (c && c.finished ? "The campaign is finished." : s.run && s.run.status === "running" ? "The stage pulls. Keep hands off." : "Nothing is asked of you now."));
  $("do").className = broken ? "stale" : "";
}

/* Events come when something has changed, and a beat each second; a browser asks again by itself where they end. A page
   that nobody sees asks nothing: a browser opens six connections to one server at most. */
let source = null, heard = 0;

function listen() {
  if (source) source.close();
  source = document.hidden ? null : new EventSource("state.events");
  heard = Date.now();
  if (!source) return;
  source.onmessage = e => {
    heard = Date.now();
    state = JSON.parse(e.data);
    show();
    draw();
  };
  source.addEventListener("beat", () => { heard = Date.now(); if (state) show(); });
}

function watch() {
  if (!source || Date.now() - heard < 3000) return;
  text("do", "The page gets no answer: what stands here is old.");
  $("do").className = "stale";
  if (source.readyState === EventSource.CLOSED || Date.now() - heard > 10000) listen();
}

window.addEventListener("resize", draw);
document.addEventListener("visibilitychange", listen);
setInterval(watch, 1000);
listen();
