// ONNX Runtime on behalf of peers.py: reads one JSON request per line, answers each with one line. The first
// line it writes is the version.
const fs = require("fs");
const readline = require("readline");
process.env.ORT_DISABLE_TELEMETRY = "1"; // which a thread of its own would send from 1.30 on
const ort = require("onnxruntime-node");

const arrays = {
  f16: ["float16", Uint16Array], f32: ["float32", Float32Array], f64: ["float64", Float64Array],
  i8: ["int8", Int8Array], i16: ["int16", Int16Array], i32: ["int32", Int32Array], i64: ["int64", BigInt64Array],
  u8: ["uint8", Uint8Array], u16: ["uint16", Uint16Array], u32: ["uint32", Uint32Array], u64: ["uint64", BigUint64Array],
};

let session = null;
let feeds = null;

function readTensor(path, kind) {
  const [name, ArrayType] = arrays[kind];
  const bytes = fs.readFileSync(path);
  const data = new ArrayType(new Uint8Array(bytes).buffer);
  return new ort.Tensor(name, data, [data.length]);
}

async function load(model, inputs, kind) {
  feeds = {};
  inputs.forEach((path, i) => { feeds["ab"[i]] = readTensor(path, kind); });
  session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  await session.run(feeds);
  return {};
}

async function run() {
  const begin = process.hrtime.bigint();
  await session.run(feeds);
  return { seconds: Number(process.hrtime.bigint() - begin) / 1e9 };
}

async function main() {
  console.log(require("onnxruntime-node/package.json").version);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    let answer;
    try {
      answer = request.model ? await load(request.model, request.inputs, request.type) : await run();
    } catch (error) {
      answer = { error: String(error.message || error) };
    }
    console.log(JSON.stringify(answer));
  }
}

main();
