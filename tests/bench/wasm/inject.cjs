// Adds counting to a WebAssembly module: node inject.cjs IN OUT
const metering = require('wasm-metering');
const fs = require('fs');

const plain = fs.readFileSync(process.argv[2]);
fs.writeFileSync(process.argv[3], metering.meterWASM(plain, { meterType: 'i32' }));
