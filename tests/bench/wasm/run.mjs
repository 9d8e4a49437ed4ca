// Runs a WASI program: node run.mjs FILE
import { readFileSync } from 'fs';
import { WASI } from 'wasi';

const wasi = new WASI({ version: 'preview1' });
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
let used = 0;
const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: wasi.wasiImport,
    metering: { usegas: (gas) => { used += gas; } },
});
wasi.start(instance);
