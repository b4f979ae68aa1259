import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startNode, stop } from './processes.mjs';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const { build } = createRequire(pathOf('../../packages/sdk/package.json'))('esbuild');

const folder = pathOf('../.cache/clients');
const LINKS = {
  '@gatehouse/sdk': '../../packages/sdk',
  '@gatehouse/contract': '../../packages/contract',
  '@ts-rest/core': '../../examples/node_modules/@ts-rest/core',
};

/** Copies the clients into a folder from which the built packages can be imported by name. */
export function prepareClients() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(pathOf('../targets/clients'), folder, { recursive: true });
  cpSync(pathOf('../targets/client-loop.mjs'), `${folder}/client-loop.mjs`);
  for (const [name, path] of Object.entries(LINKS)) {
    const link = `${folder}/node_modules/${name}`;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(pathOf(path), link);
  }
}

/** The libraries that are compared, such as `ky 2.1.0`. */
export function versionsOfClients() {
  const folders = [
    '../../node_modules/openapi-fetch',
    '../../node_modules/ky',
    LINKS['@ts-rest/core'],
  ];
  return folders.map((path) => {
    const { name, version } = JSON.parse(readFileSync(`${pathOf(path)}/package.json`, 'utf8'));
    return `${name} ${version}`;
  });
}

/** The bytes of one list call with a client, bundled for browsers and minified. */
export async function sizeOfClient(file) {
  const contents = `import { create, list } from './${file}.mjs';
    declare const accessToken: string;
    export const page = await list(create('https://gatehouse.example.com/api/v1', accessToken), 20);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  });
  const [{ contents: bytes }] = outputFiles;
  return { minified: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

/** Starts the client in its own process, from one bundle, so that a build in between changes nothing. */
export async function startClient(file, args) {
  const outfile = `${folder}/${file}.bundle.mjs`;
  const contents = `import * as client from './${file}.mjs';
    import { serve } from './client-loop.mjs';
    serve(client);`;
  await build({
    stdin: { contents, resolveDir: folder },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
  const child = startNode(outfile, { args, hasIpc: true });
  await nextMessageOf(child);
  const request = (message) => {
    child.send(message);
    return nextMessageOf(child);
  };
  return { pid: child.pid, request, stop: () => stop(child) };
}

/** @throws if the process ends instead, which it does at the first wrong response. */
async function nextMessageOf(child) {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', ended).then(([message]) => message),
      once(child, 'exit', ended).then(() => {
        throw new Error(`${child.spawnargs.at(1)} ended.`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}
