// npm run contract:matrix -- [--rules]: runs the contract suite on each available database and prints a
// table of its areas, or of its rules, by targets.
import { parseArgs } from 'node:util';
import { contractMatrix } from './lib/contract-matrix.mjs';
import { isPostgresqlReachable } from './lib/postgresql.mjs';
import { runVitest } from './lib/vitest.mjs';

const { values } = parseArgs({ options: { rules: { type: 'boolean', default: false } } });

const databases = { core: 'Embedded database' };
if (await isPostgresqlReachable()) databases.postgresql = 'PostgreSQL';
else console.log('There is no PostgreSQL: running on the embedded database only.\n');

for (const [name, title] of Object.entries(databases)) {
  const { passed, failed, report } = await runVitest([`--project=${name}`, 'test/contract/']);
  if (failed > 0) process.exitCode = 1;
  console.log(`${title}: ${passed} passed, ${failed} failed\n`);
  console.log(`${contractMatrix(report, values.rules ? 'rule' : 'area') ?? 'No report.'}\n`);
}
