import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { deployFile } from './support/deploy-file.ts';
import { isProgramMissing } from './support/program.ts';

test.skipIf(isProgramMissing('caddy'))('Caddy understands all of its file', () => {
  const args = ['adapt', '--validate', '--adapter', 'caddyfile', '--config'];
  const { status, stderr } = spawnSync('caddy', [...args, deployFile('caddy/Caddyfile')], {
    encoding: 'utf8',
  });
  expect(stderr).not.toMatch(/not formatted|warn/i);
  expect(status, stderr).toBe(0);
});
