import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onSignals } from './signals.mjs';

const folders = new Set();

process.on('exit', () => {
  for (const folder of folders) removeTemporaryFolder(folder);
});
// A signal by itself would end the process without its `exit` event.
onSignals(() => process.exit(130));

/** A folder that does not outlive this process, also when it is interrupted. */
export function createTemporaryFolder(prefix) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  folders.add(folder);
  // Programs of other users have folders within it: PostgreSQL does not run as root.
  chmodSync(folder, 0o711);
  return folder;
}

export function removeTemporaryFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.delete(folder);
}
