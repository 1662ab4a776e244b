// node tests/show/gltf.js MODULES FILE.glb: Khronos' validator; exit code 1 with an error or a warning.
const fs = require("fs");
const validator = require(process.argv[2] + "/gltf-validator");
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[3])), { maxIssues: 10 }).then((r) => {
  const i = r.issues;
  for (const m of i.messages) console.log(`show: ${process.argv[3]}: ${m.code} ${m.message} ${m.pointer}`);
  console.log(`show: Khronos glTF validator ${validator.version()}: ${i.numErrors} errors, ${i.numWarnings} warnings`);
  process.exit(i.numErrors + i.numWarnings ? 1 : 0);
});
