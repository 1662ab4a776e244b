// node tests/show/usd.mjs MODULES FILE.usda PLACES.json: the parser of three's USDLoader; every place of every frame is compared. Exit code 1 if
// one is off by more than 1e-6 m.
import fs from "fs";
const [modules, file, wanted] = process.argv.slice(2);
const { USDAParser } = await import(modules + "/three/examples/jsm/loaders/usd/USDAParser.js");
const truth = JSON.parse(fs.readFileSync(wanted, "utf8"));
const parser = new USDAParser();
const text = fs.readFileSync(file, "utf8");
const world = (parser.parseText ? parser.parseText(text) : parser.parse(text))['def Xform "World"'];
const rate = Number(/timeCodesPerSecond = ([^\s]+)/.exec(text)[1]);
let worst = 0, compared = 0, wrong = false;
truth.frames.forEach((frame, k) => {
  for (const [name, places] of Object.entries(frame)) {
    if (places.length === 0) continue;
    const samples = world[`def Mesh "${name}"`]?.["point3f[] points.timeSamples"];
    const at = Object.keys(samples ?? {}).find((code) => Math.abs(code / rate - truth.times[k]) < 1e-6);
    const own = (samples?.[at] ?? "").replace(/[()\[\]]/g, "").split(",").filter((s) => s.trim()).map(Number);
    if (own.length !== places.length) {
      console.log(`show: ${file}: frame ${k}: '${name}' has ${own.length} numbers, ${places.length} were wanted`);
      wrong = true;
      continue;
    }
    for (let i = 0; i < places.length; i++) worst = Math.max(worst, Math.abs(own[i] - places[i]));
    compared += places.length / 3;
  }
});
console.log(`show: three's USDLoader parser: ${compared} vertices of ${truth.frames.length} frames, off by ${worst.toPrecision(2)} m at most`);
process.exit(wrong || worst > 1e-6 || compared === 0 ? 1 : 0);
