// npm run release: publishes, with provenance, the packages with a version that is not in the registry
// yet, unless something that ships has a published weakness. Writes the bill of materials of the
// server. With --check it only says whether they could be published.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { buildSite } from './lib/build-site.mjs';
import { install } from './lib/install.mjs';
import { provenanceErrors } from './lib/release.mjs';
import { CommandFailed, run } from './lib/run.mjs';
import { audit, installShipped, sbomOf } from './lib/shipped.mjs';
import { createTemporaryFolder } from './lib/temporary-folder.mjs';
import { root } from './lib/workspace.mjs';

const errors = provenanceErrors();
if (errors.length > 0) {
  console.error(errors.join('\n'));
  console.error('\nNothing was published. docs/decisions/releases.md says what to fill in.');
  process.exit(1);
}
if (process.argv.includes('--check')) process.exit(0);

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
try {
  await install();
  await build();
  await buildSite();
  const shipped = await installShipped(createTemporaryFolder('gatehouse-release-'));
  await audit(shipped);
  writeFileSync(join(root, 'gatehouse-server.cdx.json'), await sbomOf(shipped));
  await run('npx', ['--yes', packageManager, 'exec', 'changeset', 'publish'], {
    env: { NPM_CONFIG_PROVENANCE: 'true' },
  });
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
