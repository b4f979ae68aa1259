import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { root } from './pages.ts';

it("every shell block of the operators' pages is run by the half hour, or named with the reason why not", () => {
  const script = fileURLToPath(new URL('scripts/half-hour/main.mjs', root));
  const checked = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(checked.stdout + checked.stderr).toBe('');
  expect(checked.status).toBe(0);
});
