import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { deployFile } from './support/deploy-file.ts';
import { isProgramMissing } from './support/program.ts';

/** Of `systemd-analyze security`: from 0, nothing exposed, to 10. */
const MOST_EXPOSURE = 1.5;

describe.skipIf(isProgramMissing('systemd-analyze'))('the systemd unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** With the Node that runs here, as `verify` looks for the program. */
  function analyze(...args: string[]) {
    const unit = join(folder, 'gatehouse@.service');
    const text = readFileSync(deployFile('systemd/gatehouse@.service'), 'utf8');
    writeFileSync(unit, text.replace('/usr/bin/node', process.execPath));
    return spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
  }

  test('has nothing that systemd does not understand', () => {
    const { status, stdout, stderr } = analyze('verify', '--man=no');
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });

  test('for secrets neither', () => {
    const unit = join(folder, 'gatehouse-secrets.service');
    const text = readFileSync(deployFile('systemd/gatehouse-secrets.service'), 'utf8');
    const script = deployFile('systemd/gatehouse-secrets');
    writeFileSync(unit, text.replace('/usr/local/sbin/gatehouse-secrets', script));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], {
      encoding: 'utf8',
    });
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });

  test('exposes little of the machine, as systemd counts it', () => {
    const { stdout, stderr } = analyze('security', '--offline=true', '--no-pager');
    const exposure = Number(
      /Overall exposure level for gatehouse@\S*.service: ([\d.]+)/.exec(stdout)?.[1],
    );
    expect(exposure, stdout + stderr).toBeLessThanOrEqual(MOST_EXPOSURE);
  });

  test('waits longer for the end than the server takes', () => {
    const text = readFileSync(deployFile('systemd/gatehouse@.service'), 'utf8');
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(40);
  });
});
