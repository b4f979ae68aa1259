import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { root } from './workspace.mjs';

const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg']);

/** Below it nothing is sent in fewer bytes. */
const LEAST_BYTES = 1_024;

/** Where the server finds the console: in its package, beside its own `dist`, which its build empties. */
export const consolePlace = join(root, 'apps/server/public/console');

/** Where it finds the documentation. */
export const documentationPlace = join(root, 'apps/server/public/docs');

/**
 * Copies built files to where the server finds them, each also compressed, as browsers take it. A running server sees
 * the whole new folder, or the whole old one.
 */
export async function placeBuilt(built, place) {
  const folder = join(root, '.cache', `placed-${process.pid}`);
  try {
    cpSync(built, folder, { recursive: true });
    const files = readdirSync(folder, { recursive: true }).map((file) => join(folder, file));
    await Promise.all(files.filter((file) => COMPRESSED.has(extname(file))).map(compress));
    rmSync(place, { recursive: true, force: true });
    mkdirSync(dirname(place), { recursive: true });
    renameSync(folder, place);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compress(file) {
  const bytes = readFileSync(file);
  if (bytes.length < LEAST_BYTES) return;
  writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes));
}
