/* Plays the frames of a run. sim/show/show_view.h says what the data are. */
"use strict";
(() => {
const $ = id => document.getElementById(id);
const run = JSON.parse($("run").textContent);
const times = run.times, last = times.length - 1;
/* In a frame of another page: no more is shown than the stage and three buttons. */
const embedded = "embedded" in document.documentElement.dataset;

/* ---- the data ---- */

async function unpack(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Reader {
  constructor(bytes) { this.bytes = bytes; this.at = 0; }
  byte() { return this.bytes[this.at++]; }
  u32() { const b = this.bytes, i = this.at; this.at += 4; return (b[i] | b[i + 1] << 8 | b[i + 2] << 16 | b[i + 3] << 24) >>> 0; }
  triangles(n) { /* differences from corner to corner, zigzag, in four planes of bytes */
    const out = new Uint32Array(n), b = this.bytes, at = this.at;
    let v = 0;
    for (let i = 0; i < n; i++) {
      const z = (b[at + i] | b[at + n + i] << 8 | b[at + 2 * n + i] << 16 | b[at + 3 * n + i] << 24) >>> 0;
      v += (z >>> 1) ^ -(z & 1);
      out[i] = v;
    }
    this.at += 4 * n;
    return out;
  }
  places(n, order, one, two) { /* differences from the prediction, zigzag, per axis in two planes of bytes */
    const out = new Uint16Array(3 * n), b = this.bytes;
    for (let c = 0; c < 3; c++) {
      const low = this.at, high = low + n;
      for (let i = 0, k = c; i < n; i++, k += 3) {
        const z = b[low + i] | b[high + i] << 8;
        const from = order === 0 ? 0 : order === 1 ? one[k] : 2 * one[k] - two[k];
        out[k] = from + ((z >>> 1) ^ -(z & 1));
      }
      this.at += 2 * n;
    }
    return out;
  }
  values(n, before) {
    const out = new Uint8Array(n), b = this.bytes;
    for (let i = 0; i < n; i++) out[i] = b[this.at + i] + (before ? before[i] : 0);
    this.at += n;
    return out;
  }
}

function readSurface(r, surface, history) {
  const flags = r.byte(), order = flags >> 2 & 3;
  if (!(flags & 1)) return null;
  let [one, two] = history;
  let triangle = one && one.triangle, n = one && one.n;
  if (flags & 2) {
    n = r.u32();
    triangle = r.triangles(3 * r.u32());
  }
  const fresh = flags & 2;
  let place = r.places(n, order, one && one.place, two && two.place);
  if (!fresh && place.every((v, i) => v === one.place[i])) place = one.place; /* what rests is not computed anew */
  const value = surface.channels.map((_, k) => r.values(n, fresh ? null : one.value[k]));
  return {n, triangle, place, value};
}

function readFrames(bytes) {
  const r = new Reader(bytes), before = run.surfaces.map(() => [null, null]);
  return times.map(() => run.surfaces.map((surface, s) => {
    const got = readSurface(r, surface, before[s]);
    if (got) before[s] = [got, before[s][0]];
    return got;
  }));
}

/* ---- colours ---- */

const toLinear = v => Math.pow(v, 2.2);
const viridis = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];
const balance = [[33, 78, 155], [86, 137, 200], [160, 194, 226], [236, 236, 236], [240, 180, 150], [214, 108, 84], [165, 30, 45]];
function ramp(stops) {
  const out = new Float32Array(768);
  for (let i = 0; i < 256; i++) {
    const x = i / 255 * (stops.length - 1), k = Math.min(Math.floor(x), stops.length - 2), a = x - k;
    for (let c = 0; c < 3; c++) out[3 * i + c] = ((1 - a) * stops[k][c] + a * stops[k + 1][c]) / 255;
  }
  return out;
}
const ramps = {one: ramp(viridis), two: ramp(balance)};
const linear = {one: ramps.one.map(toLinear), two: ramps.two.map(toLinear)};
const rampOf = c => c.low < 0 && c.high > 0 ? "two" : "one";

function number(v) {
  if (v === 0) return "0";
  const a = Math.abs(v);
  return a >= 1e5 || a < 1e-3 ? v.toExponential(1) : String(+v.toPrecision(3));
}

/* ---- the stage ---- */

const canvas = $("stage"), renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true, preserveDrawingBuffer: false});
renderer.gammaOutput = true;
renderer.gammaFactor = 2.2;
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.PCFShadowMap;
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(28, 1, 0.01, 100);
camera.up.set(0, 0, 1);
const controls = new THREE.OrbitControls(camera, canvas);
controls.enableDamping = true;
controls.dampingFactor = 0.12;
controls.enableKeys = false;

const box = new THREE.Box3();
for (const s of run.surfaces) if (!s.ground) {
  box.expandByPoint(new THREE.Vector3(...s.low));
  box.expandByPoint(new THREE.Vector3(...s.high));
}
const middle = box.getCenter(new THREE.Vector3()), reach = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);

scene.add(new THREE.HemisphereLight(0xf4f7ff, 0x9a9184, 0.56));
const lamp = new THREE.DirectionalLight(0xfff4e2, 0.95);
lamp.position.copy(middle).add(new THREE.Vector3(0.5, -0.75, 1.6).multiplyScalar(2 * reach));
lamp.target.position.copy(middle);
lamp.castShadow = true;
lamp.shadow.mapSize.set(2048, 2048);
lamp.shadow.radius = 2.5;
lamp.shadow.bias = -0.0012;
Object.assign(lamp.shadow.camera, {left: -1.1 * reach, right: 1.1 * reach, top: 1.1 * reach, bottom: -1.1 * reach, near: 0.5 * reach, far: 7 * reach});
scene.add(lamp, lamp.target);
const fill = new THREE.DirectionalLight(0xcfdcff, 0.22);
fill.position.copy(middle).add(new THREE.Vector3(-1, 0.6, 0.5).multiplyScalar(reach));
fill.target = lamp.target;
scene.add(fill);

const plain = {value: 1};
function clothMaterial() {
  const m = new THREE.MeshStandardMaterial({vertexColors: THREE.VertexColors, roughness: 0.86, metalness: 0, side: THREE.DoubleSide});
  m.onBeforeCompile = shader => {
    shader.uniforms.plain = plain;
    shader.fragmentShader = "uniform float plain;\n" + shader.fragmentShader.replace("#include <color_fragment>",
      "#include <color_fragment>\nif (!gl_FrontFacing) diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.74, 0.66, 0.56), 0.55 * plain);");
  };
  return m;
}
/* The ground fades out, so that it has no edge. */
function groundMaterial() {
  const m = new THREE.MeshLambertMaterial({vertexColors: THREE.VertexColors, transparent: true, side: THREE.DoubleSide, depthWrite: false});
  m.onBeforeCompile = shader => {
    shader.vertexShader = "varying vec3 vPlace;\n" + shader.vertexShader.replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlace = position;");
    shader.uniforms.middle = {value: middle};
    shader.uniforms.reach = {value: reach};
    shader.fragmentShader = "varying vec3 vPlace;\nuniform vec3 middle;\nuniform float reach;\n" + shader.fragmentShader.replace("#include <dithering_fragment>",
      "#include <dithering_fragment>\ngl_FragColor.a *= 0.8 * (1.0 - smoothstep(1.0, 3.4, distance(vPlace, middle) / reach));");
  };
  return m;
}
function materialOf(s) {
  if (s.ground) return groundMaterial();
  if (s.against) return new THREE.MeshStandardMaterial({vertexColors: THREE.VertexColors, roughness: 0.9, metalness: 0, side: THREE.DoubleSide, transparent: true, opacity: 0.5, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4});
  if (s.cloth) return clothMaterial();
  if (s.liquid) return new THREE.MeshStandardMaterial({vertexColors: THREE.VertexColors, roughness: 0.22, metalness: 0.05, side: THREE.DoubleSide});
  return new THREE.MeshStandardMaterial({vertexColors: THREE.VertexColors, roughness: 0.72, metalness: 0, side: THREE.DoubleSide});
}
const meshes = run.surfaces.map(s => {
  const mesh = new THREE.Mesh(new THREE.BufferGeometry(), materialOf(s));
  mesh.frustumCulled = false;
  mesh.castShadow = !s.ground && !s.against;
  mesh.receiveShadow = !s.against;
  mesh.visible = false;
  mesh.renderOrder = s.against ? 2 : s.ground ? -1 : 0;
  const wire = new THREE.Mesh(mesh.geometry, new THREE.MeshBasicMaterial({color: 0x000000, wireframe: true, transparent: true, opacity: 0.22}));
  wire.visible = false;
  wire.frustumCulled = false;
  mesh.add(wire);
  scene.add(mesh);
  return {mesh, wire, triangle: null, wide: null, shownPlaces: null, shownColour: ""};
});
/* Outlines lie flat, just over the lowest point. */
const lineColours = [0xf0a818, 0xd1305b, 0x3a8f5c, 0x7a4fb0];
(run.outlines || []).forEach((o, k) => {
  const curve = new THREE.CatmullRomCurve3(o.xy.map(([x, y]) => new THREE.Vector3(x, y, o.z)), true);
  const colour = new THREE.Color(lineColours[k % 4]).convertGammaToLinear(2.2);
  const line = new THREE.Mesh(new THREE.TubeBufferGeometry(curve, 2 * o.xy.length, 0.006 * reach, 6, true), new THREE.MeshBasicMaterial({color: colour, depthTest: false}));
  line.renderOrder = 3 + k;
  scene.add(line);
});

/* ---- a moment ---- */

let frames = null, colourBy = "plain", time = times[0], playing = false, dirty = true;

function frameAt(t) {
  let low = 0, high = last;
  while (low < high) {
    const k = (low + high + 1) >> 1;
    if (times[k] <= t) low = k; else high = k - 1;
  }
  const next = Math.min(low + 1, last), step = times[next] - times[low];
  return {k: low, next, share: step > 0 ? Math.min(Math.max((t - times[low]) / step, 0), 1) : 0};
}

/* Metres of the vertices: of a frame, or between two that have the same triangles. */
function placesOf(s, a, b, share, out) {
  const surface = run.surfaces[s], scale = [0, 1, 2].map(c => (surface.high[c] - surface.low[c]) / 65535), [x, y, z] = surface.low;
  const p = a.place, q = b && b.triangle === a.triangle && share > 0 ? b.place : null;
  for (let i = 0; i < 3 * a.n; i += 3) {
    if (q) {
      out[i] = x + scale[0] * (p[i] + share * (q[i] - p[i]));
      out[i + 1] = y + scale[1] * (p[i + 1] + share * (q[i + 1] - p[i + 1]));
      out[i + 2] = z + scale[2] * (p[i + 2] + share * (q[i + 2] - p[i + 2]));
    } else {
      out[i] = x + scale[0] * p[i];
      out[i + 1] = y + scale[1] * p[i + 1];
      out[i + 2] = z + scale[2] * p[i + 2];
    }
  }
}

function smoothNormals(x, triangle, out) {
  out.fill(0);
  for (let t = 0; t < triangle.length; t += 3) {
    const a = 3 * triangle[t], b = 3 * triangle[t + 1], c = 3 * triangle[t + 2];
    const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2], vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    out[a] += nx; out[a + 1] += ny; out[a + 2] += nz;
    out[b] += nx; out[b + 1] += ny; out[b + 2] += nz;
    out[c] += nx; out[c + 1] += ny; out[c + 2] += nz;
  }
  for (let i = 0; i < out.length; i += 3) {
    const l = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
    out[i] /= l; out[i + 1] /= l; out[i + 2] /= l;
  }
}

/* Bodies keep their edges: a corner's normal is the sum over the faces around that lie within 45 degrees. */
function sharpNormals(x, triangle, corners, out) {
  const n = triangle.length / 3, face = new Float32Array(3 * n);
  for (let t = 0; t < n; t++) {
    const [a, b, c] = [0, 1, 2].map(k => 3 * triangle[3 * t + k]);
    const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2], vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
    face[3 * t] = uy * vz - uz * vy; face[3 * t + 1] = uz * vx - ux * vz; face[3 * t + 2] = ux * vy - uy * vx;
  }
  for (let t = 0; t < n; t++) for (let k = 0; k < 3; k++) {
    let sx = 0, sy = 0, sz = 0;
    const fx = face[3 * t], fy = face[3 * t + 1], fz = face[3 * t + 2], fl = Math.hypot(fx, fy, fz);
    for (const o of corners[triangle[3 * t + k]]) {
      const gx = face[3 * o], gy = face[3 * o + 1], gz = face[3 * o + 2];
      if (gx * fx + gy * fy + gz * fz < 0.7 * fl * Math.hypot(gx, gy, gz)) continue;
      sx += gx; sy += gy; sz += gz;
    }
    const l = Math.hypot(sx, sy, sz) || 1, at = 9 * t + 3 * k;
    out[at] = sx / l; out[at + 1] = sy / l; out[at + 2] = sz / l;
  }
}

function newTriangles(m, surface, a) {
  const g = m.mesh.geometry, sharp = !surface.cloth && !surface.liquid && !surface.against && a.triangle.length < 60000;
  const n = sharp ? a.triangle.length : a.n;
  g.dispose();
  m.wide = sharp ? new Float32Array(3 * a.n) : null;
  m.corners = null;
  if (sharp) {
    m.corners = Array.from({length: a.n}, () => []);
    a.triangle.forEach((v, i) => m.corners[v].push(Math.floor(i / 3)));
    g.setIndex(null);
  } else {
    g.setIndex(new THREE.BufferAttribute(a.triangle, 1));
  }
  for (const name of ["position", "normal", "color"]) {
    const attribute = new THREE.BufferAttribute(new Float32Array(3 * n), 3);
    attribute.setUsage ? attribute.setUsage(THREE.DynamicDrawUsage) : attribute.setDynamic(true);
    g.setAttribute(name, attribute);
  }
  m.triangle = a.triangle;
  m.shownPlaces = null;
  m.shownColour = "";
}

function showPlaces(s, a, b, share) {
  const m = meshes[s], g = m.mesh.geometry, position = g.attributes.position.array, normal = g.attributes.normal.array;
  const moving = b && b.triangle === a.triangle && b.place !== a.place && share > 0, what = moving ? NaN : a.place;
  if (m.shownPlaces === what) return;
  m.shownPlaces = what;
  if (m.wide) {
    placesOf(s, a, b, share, m.wide);
    a.triangle.forEach((v, i) => { for (let c = 0; c < 3; c++) position[3 * i + c] = m.wide[3 * v + c]; });
    sharpNormals(m.wide, a.triangle, m.corners, normal);
  } else {
    placesOf(s, a, b, share, position);
    smoothNormals(position, a.triangle, normal);
  }
  g.attributes.position.needsUpdate = g.attributes.normal.needsUpdate = true;
}

function showColour(s, a, k) {
  const m = meshes[s], surface = run.surfaces[s], out = m.mesh.geometry.attributes.color.array;
  const c = surface.against ? -1 : surface.channels.findIndex(x => x.name === colourBy), key = c < 0 ? "plain" : colourBy + k;
  if (m.shownColour === key) return;
  m.shownColour = key;
  const table = c < 0 ? null : linear[rampOf(surface.channels[c])];
  const put = (at, v) => {
    for (let i = 0; i < 3; i++) out[3 * at + i] = table ? table[3 * a.value[c][v] + i] : surface.colour[i];
  };
  if (m.wide) a.triangle.forEach((v, i) => put(i, v));
  else for (let v = 0; v < a.n; v++) put(v, v);
  m.mesh.geometry.attributes.color.needsUpdate = true;
}

function showMoment() {
  const {k, next, share} = frameAt(time);
  plain.value = colourBy === "plain" ? 1 : 0;
  run.surfaces.forEach((surface, s) => {
    const a = frames[k][s], m = meshes[s];
    m.mesh.visible = !!a && (!surface.against || $("against").checked);
    if (!a) return;
    if (m.triangle !== a.triangle) newTriangles(m, surface, a);
    showPlaces(s, a, frames[next][s], share);
    showColour(s, a, k);
    m.wire.visible = $("edges").checked && !surface.ground;
  });
  $("scrub").value = String(1000 * (time - times[0]) / Math.max(times[last] - times[0], 1e-12));
  $("time").textContent = time.toFixed(3) + " s  of  " + times[last].toFixed(3);
  drawPlots();
}

/* ---- plots of the probes ---- */

const axes = ["x", "y", "z"], axisColours = ["#c8553d", "#3a8f5c", "#3b6fb6"];
const plots = (run.probes || []).map(p => {
  const div = document.createElement("div");
  div.className = "plot";
  div.innerHTML = "<b></b> <span></span><canvas width=408 height=148></canvas>";
  div.querySelector("b").textContent = p.name;
  div.querySelector("span").innerHTML = axes.map((a, i) => `<i class="swatch" style="background:${axisColours[i]}"></i>${a}`).join(" ") + " in m";
  $("plots").append(div);
  const all = [].concat(...p.xyz), low = Math.min(...all), high = Math.max(...all);
  return {p, canvas: div.querySelector("canvas"), low, high: high > low ? high : low + 1e-3};
});
function drawPlots() {
  const style = getComputedStyle(document.documentElement), from = times[0], to = Math.max(times[last], from + 1e-9);
  for (const {p, canvas: c, low, high} of plots) {
    const g = c.getContext("2d"), w = c.width, h = c.height, left = 62;
    const X = t => left + (w - left - 4) * (t - from) / (to - from), Y = v => h - 10 - (h - 20) * (v - low) / (high - low);
    g.clearRect(0, 0, w, h);
    g.font = "20px system-ui, sans-serif";
    g.fillStyle = style.getPropertyValue("--dim");
    g.fillText(number(high), 0, 20);
    g.fillText(number(low), 0, h - 6);
    g.lineWidth = 2.5;
    p.xyz.forEach((v, a) => {
      g.strokeStyle = axisColours[a];
      g.beginPath();
      v.forEach((y, i) => g.lineTo(X(p.t[i]), Y(y)));
      g.stroke();
    });
    g.strokeStyle = style.getPropertyValue("--ink");
    g.lineWidth = 1.5;
    g.beginPath(); g.moveTo(X(time), 4); g.lineTo(X(time), h - 4); g.stroke();
  }
}

/* ---- controls ---- */

/* By degrees around the target: to the side, up. */
function turn(side, up) {
  const at = new THREE.Vector3().subVectors(camera.position, controls.target), r = at.length();
  const a = Math.atan2(at.y, at.x) + side * Math.PI / 180;
  const e = Math.min(Math.max(Math.asin(at.z / r) + up * Math.PI / 180, -1.55), 1.55);
  camera.position.set(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)).multiplyScalar(r).add(controls.target);
  dirty = true;
}
function zoom(by) {
  camera.position.sub(controls.target).multiplyScalar(by).add(controls.target);
  dirty = true;
}

/* From above the view is nearly parallel, so that outlines at different heights can be compared. */
function look(view) {
  const angle = {start: [-60, 24], top: [-90, 89.9], side: [-90, 3]}[view] || [-60, 24], [a, e] = angle.map(v => v * Math.PI / 180);
  camera.fov = view === "top" ? 2 : 28;
  const narrow = Math.min(camera.aspect, 1), distance = (embedded ? 0.72 : 0.84) * reach / Math.sin(camera.fov / 2 * Math.PI / 180) / narrow;
  camera.position.set(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)).multiplyScalar(distance).add(middle);
  controls.target.copy(middle);
  controls.update();
  dirty = true;
}
function setDepth() {
  const distance = camera.position.distanceTo(controls.target);
  camera.near = Math.max(distance / 200, distance - 8 * reach);
  camera.far = distance + 12 * reach;
  camera.updateProjectionMatrix();
}
/* Where drawing is slow, moving pictures are coarser, then without shadows; a still one is always fine. */
let coarseness = 0, drawnFine = true;
const intervals = [];
function setFine(fine) {
  drawnFine = fine;
  const best = Math.min(window.devicePixelRatio || 1, 2);
  renderer.setPixelRatio(fine ? best : [best, 0.75 * best, 0.5, 0.5][coarseness]);
  lamp.castShadow = fine || coarseness < 3;
}
function noteInterval(ms) {
  intervals.push(ms);
  const recent = intervals.slice(-5).sort((a, b) => a - b);
  if (recent.length < 5 || coarseness > 2 || recent[2] < 40) return;
  coarseness++;
  intervals.length = 0;
  setFine(false);
}

function resize() {
  const w = window.innerWidth, h = window.innerHeight;
  renderer.setSize(w, h, false);
  camera.aspect = w / h;
  camera.updateProjectionMatrix();
  dirty = true;
}
function setTime(t) { time = Math.min(Math.max(t, times[0]), times[last]); dirty = true; }
function setPlaying(on) {
  playing = on && last > 0;
  if (playing && time >= times[last]) time = times[0];
  $("play").innerHTML = playing ? "&#10074;&#10074;" : "&#9654;";
}
function stepFrames(n) {
  setPlaying(false);
  const {k, share} = frameAt(time);
  setTime(times[Math.min(Math.max(k + (n < 0 && share > 0 ? 0 : n), 0), last)]);
}
function setColour(name) {
  colourBy = name;
  dirty = true;
  const channel = run.surfaces.map(s => s.channels.find(c => c.name === name)).find(c => c), legend = $("legend");
  legend.hidden = !channel;
  if (!channel) return;
  const g = legend.querySelector("canvas").getContext("2d"), image = g.createImageData(256, 1), table = ramps[rampOf(channel)];
  for (let i = 0; i < 256; i++) for (let c = 0; c < 4; c++) image.data[4 * i + c] = c < 3 ? 255 * table[3 * i + c] : 255;
  g.putImageData(image, 0, 0);
  const [low, unit, high] = legend.querySelectorAll("span");
  low.textContent = (channel.below ? "\u2264 " : "") + number(channel.low);
  unit.textContent = channel.unit === "1" ? "" : channel.unit;
  high.textContent = (channel.above ? "\u2265 " : "") + number(channel.high);
}
const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  const dark = isDark();
  run.surfaces.forEach((s, k) => { if (s.ground) meshes[k].mesh.material.opacity = dark ? 0.3 : 1; });
  dirty = true;
}

function prepare() {
  document.title = run.scene + " \u2013 clothbench";
  $("title").querySelector("h1").textContent = run.scene;
  $("about").textContent = run.note;
  const names = [...new Set([].concat(...run.surfaces.map(s => s.against ? [] : s.channels.map(c => c.name))))];
  for (const name of ["plain", ...names]) $("colour").append(new Option(name, name));
  for (const v of [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8]) $("speed").append(new Option(v + "\u00d7", v));
  const span = times[last] - times[0];
  $("speed").value = span < 0.3 ? "0.1" : span < 1.2 ? "0.25" : span > 30 ? "4" : span < 3 ? "0.5" : "1";
  const other = run.surfaces.find(s => s.against);
  $("other").hidden = !other;
  if (other) $("other").querySelector("span").textContent = run.against;
  (run.outlines || []).forEach((o, k) => {
    const div = document.createElement("div"), swatch = document.createElement("i");
    swatch.className = "swatch";
    swatch.style.background = "#" + new THREE.Color(lineColours[k % 4]).getHexString();
    div.append(swatch, o.name);
    $("lines").append(div);
  });
  $("keys").textContent = last < 1 ? "drag or arrows: turn \u00b7 wheel, + or \u2212: zoom" : "space: play \u00b7 \u2190 \u2192: frame \u00b7 drag: turn \u00b7 wheel: nearer";
  $("bar").hidden = last < 1;
}

function listen() {
  /* Whoever scrolls past the frame does not zoom. */
  if (embedded) window.addEventListener("wheel", e => { if (!document.hasFocus()) e.stopImmediatePropagation(); }, {capture: true, passive: true});
  window.addEventListener("resize", resize);
  controls.addEventListener("change", () => { dirty = true; });
  $("play").onclick = () => setPlaying(!playing);
  $("scrub").oninput = e => { setPlaying(false); setTime(times[0] + e.target.value / 1000 * (times[last] - times[0])); };
  $("loop").onclick = e => e.target.setAttribute("aria-pressed", e.target.getAttribute("aria-pressed") !== "true");
  $("colour").onchange = e => setColour(e.target.value);
  $("edges").onchange = $("against").onchange = () => { dirty = true; };
  $("theme").onclick = () => setTheme(isDark() ? "light" : "dark");
  for (const b of $("views").children) b.onclick = () => look(b.dataset.view);
  window.addEventListener("keydown", e => {
    if (e.target.tagName === "SELECT" || e.ctrlKey || e.metaKey || e.altKey) return;
    const nearer = {"+": () => zoom(1 / 1.15), "-": () => zoom(1.15)};
    const does = last < 1 ? {ArrowLeft: () => turn(-6, 0), ArrowRight: () => turn(6, 0), ArrowUp: () => turn(0, 6), ArrowDown: () => turn(0, -6), ...nearer}[e.key] : {...nearer, " ": () => setPlaying(!playing), ArrowRight: () => stepFrames(1), ArrowLeft: () => stepFrames(-1),
      Home: () => setTime(times[0]), End: () => setTime(times[last]), ArrowUp: () => changeSpeed(1), ArrowDown: () => changeSpeed(-1)}[e.key];
    if (!does) return;
    e.preventDefault();
    does();
  });
}
function changeSpeed(by) {
  const s = $("speed");
  s.selectedIndex = Math.min(Math.max(s.selectedIndex + by, 0), s.options.length - 1);
}

/* ---- playing ---- */

const taken = []; /* per drawn frame while playing: milliseconds of work, and since the frame before */
let before = 0, moved = 0;
function draw(now) {
  const ms = now - before, dt = Math.min(ms / 1000, 0.25);
  before = now;
  if (playing) {
    const t = time + dt * +$("speed").value, loops = $("loop").getAttribute("aria-pressed") === "true";
    if (t >= times[last] && !loops) { setTime(times[last]); setPlaying(false); }
    else setTime(t >= times[last] ? (time < times[last] ? times[last] : times[0]) : t);
  }
  controls.update();
  const moves = playing || dirty && now - moved < 300;
  if (dirty) moved = now;
  if (playing) noteInterval(ms);
  if (coarseness > 0 && drawnFine === moves && (moves || now - moved > 300)) {
    setFine(!moves);
    dirty = true;
  }
  if (dirty) {
    dirty = false;
    const start = performance.now();
    setDepth();
    showMoment();
    renderer.render(scene, camera);
    if (playing) taken.push([performance.now() - start, ms]);
  }
  requestAnimationFrame(draw);
}

/* For the tests: what the page shows, in numbers. */
function offer() {
  window.clothbench = {
    ready: true, run, setTime, setColour: name => { $("colour").value = name; setColour(name); }, setPlaying, setTheme, look, taken,
    camera: () => camera.position,
    places: (k, s) => {
      const a = frames[k][s], out = new Float32Array(a ? 3 * a.n : 0);
      if (a) placesOf(s, a, null, 0, out);
      return Array.from(out);
    },
  };
  document.documentElement.dataset.ready = "1";
}

(async () => {
  prepare();
  frames = readFrames(await unpack($("data").textContent));
  $("data").textContent = "";
  setFine(true);
  resize();
  look(run.look || "start");
  listen();
  setTheme();
  setTime(times[last]);
  setPlaying(last > 1);
  setDepth();
  showMoment();
  renderer.render(scene, camera);
  offer();
  requestAnimationFrame(t => { before = t; draw(t); });
})().catch(e => {
  $("wrong").hidden = false;
  $("wrong").textContent = "The run cannot be shown: " + e.message;
});
})();
