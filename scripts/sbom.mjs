// npm run sbom -- FILE: writes the bill of materials of the server as its users install it (CycloneDX, JSON).
import { writeFileSync } from 'node:fs';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { CommandFailed } from './lib/run.mjs';
import { installShipped, sbomOf } from './lib/shipped.mjs';
import { createTemporaryFolder } from './lib/temporary-folder.mjs';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Name the file to write: npm run sbom -- gatehouse.cdx.json');
  process.exit(2);
}
try {
  await install();
  await build();
  const folder = await installShipped(createTemporaryFolder('gatehouse-sbom-'));
  writeFileSync(file, await sbomOf(folder));
  process.exit(0);
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
