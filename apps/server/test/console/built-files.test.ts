import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { expect, it } from 'vitest';
import { serveBuilt } from '../../src/console/built-files.ts';
import { use } from '../support/use.ts';

/** More than a connection takes at once. */
const LARGE = 32 * 1024 * 1024;

const site = use(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-built-'));
  for (const name of ['large.js', 'gone.js'])
    writeFileSync(join(folder, name), Buffer.alloc(LARGE));
  const app = express().use(serveBuilt({ folder, policy: '', isSinglePage: false }));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  };
  return { folder, port: (server.address() as AddressInfo).port, close };
});

/** How often this process has a file open. */
function openCount(path: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  }).length;
}

it('a file is closed when its client leaves', async () => {
  const file = join(site.folder, 'large.js');
  const socket = connect(site.port, '127.0.0.1');
  socket.write('GET /large.js HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  expect(openCount(file)).toBe(1);
  socket.destroy();
  await expect.poll(() => openCount(file)).toBe(0);
});

it('a file that is gone since the start ends its request alone', async () => {
  rmSync(join(site.folder, 'gone.js'));
  const url = `http://127.0.0.1:${site.port}`;
  await expect(fetch(`${url}/gone.js`)).rejects.toThrow();
  expect((await fetch(`${url}/large.js`, { method: 'HEAD' })).status).toBe(200);
});
