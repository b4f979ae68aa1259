import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { deployFile } from './support/deploy-file.ts';
import { isProgramMissing } from './support/program.ts';

/** The most that `systemd-analyze security` may count for each unit: from 0, nothing exposed, to 10. */
const MOST_EXPOSURE = { 'gatehouse@.service': 1.5, 'gatehouse-secrets.service': 2 };

describe.skipIf(isProgramMissing('systemd-analyze'))('the systemd units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Names the programs that are here, as `verify` looks for them. */
  function analyze(name: string, ...args: string[]) {
    const unit = join(folder, name);
    const text = readFileSync(deployFile(`systemd/${name}`), 'utf8')
      .replace('/usr/bin/node', process.execPath)
      .replace('/usr/local/sbin/gatehouse-secrets', deployFile('systemd/gatehouse-secrets'));
    writeFileSync(unit, text);
    return spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
  }

  test.each(Object.keys(MOST_EXPOSURE))(
    '%s has nothing that systemd does not understand',
    (name) => {
      const { status, stdout, stderr } = analyze(name, 'verify', '--man=no');
      expect(stdout + stderr).toBe('');
      expect(status).toBe(0);
    },
  );

  test.each(Object.entries(MOST_EXPOSURE))(
    '%s exposes little of the machine: at most %d, as systemd counts it',
    (name, most) => {
      const { stdout, stderr } = analyze(name, 'security', '--offline=true', '--no-pager');
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
      expect(exposure, stdout + stderr).toBeLessThanOrEqual(most);
    },
  );

  test('the unit of a node waits longer for the end than the server takes', () => {
    const text = readFileSync(deployFile('systemd/gatehouse@.service'), 'utf8');
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(40);
  });
});
