// npm run problems: runs the tests of the server that call the API by its operations, and prints which
// problems of the OpenAPI document they have not met: to be explained, or taken out of the table.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource } from './lib/load-source.mjs';
import { createTemporaryFolder } from './lib/temporary-folder.mjs';
import { runVitest } from './lib/vitest.mjs';
import { root } from './lib/workspace.mjs';

const seenFile = join(createTemporaryFolder('gatehouse-problems-'), 'seen');

const { passed, failed } = await runVitest(
  [
    ...['--project=core', '--project=slow'],
    ...['resources', 'http', 'contract', 'fuzz'].map((folder) => `test/${folder}/`),
  ],
  { env: { GATEHOUSE_SEEN_PROBLEMS: seenFile } },
);
if (failed > 0) process.exitCode = 1;

const openapi = join(root, 'packages/contract/src/openapi');
const { operations } = await loadSource(join(openapi, 'operations.ts'));
const { problemsOf } = await loadSource(join(openapi, 'operation-problems.ts'));
const seen = new Set(existsSync(seenFile) ? readFileSync(seenFile, 'utf8').split('\n') : []);
const unseen = new Map();
for (const operation of operations()) {
  for (const [status, codes] of problemsOf(operation)) {
    for (const code of codes) {
      if (seen.has(`${operation.id} ${status} ${code}`)) continue;
      unseen.set(code, [...(unseen.get(code) ?? []), operation.id]);
    }
  }
}
console.log(`${passed} passed, ${failed} failed. Not met:\n`);
for (const [code, ids] of unseen) console.log(`${code} (${ids.length}): ${ids.join(', ')}`);
