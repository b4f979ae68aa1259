import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentationRouter } from '../../src/console/documentation.ts';
import { startRequest } from '../../src/http/context.ts';
import { handleError } from '../../src/http/handle-error.ts';
import { createLogger } from '../../src/platform/logging.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'));
const closing: (() => void)[] = [() => rmSync(folder, { recursive: true })];
afterAll(() => {
  for (const close of closing) close();
});

const page = (name: string) => `<h1>${name}</h1>${'.'.repeat(2_000)}`;

function start(built: string): Promise<string> {
  const app = express().use(startRequest, documentationRouter(built));
  app.use(handleError(createLogger('silent'), 'http://127.0.0.1'));
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      closing.push(() => server.close());
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

let origin: string;
beforeAll(async () => {
  mkdirSync(join(folder, 'run'));
  mkdirSync(join(folder, 'assets'));
  for (const name of ['index', 'run/index', 'run/keys', '404']) {
    writeFileSync(join(folder, `${name}.html`), page(name));
  }
  writeFileSync(join(folder, 'run/keys.html.br'), brotliCompressSync(page('run/keys')));
  writeFileSync(join(folder, 'assets/app.abc123.js'), 'void 0;');
  origin = await start(folder);
});

describe('the documentation', () => {
  it.each([
    ['/docs', 'index'],
    ['/docs/', 'index'],
    ['/docs?x=1', 'index'],
    ['/docs/run/', 'run/index'],
    ['/docs/run/keys', 'run/keys'],
    ['/docs/run/keys?x=1', 'run/keys'],
  ])('has a page at %s', async (path, name) => {
    const response = await fetch(origin + path);
    expect([response.status, await response.text()]).toEqual([200, page(name)]);
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  it('answers with its own page for anything else, and with no file from outside', async () => {
    for (const path of ['/docs/nothing', '/docs/%00', '/docs/..%2fgatehouse-outside', '/docs//x']) {
      const response = await fetch(origin + path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).toBe(page('404'));
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('allows scripts and styles in files alone, and no frame', async () => {
    const { headers } = await fetch(`${origin}/docs/run/keys`);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is sent compressed as it was built, and files with a hash in their names are kept', async () => {
    const compressed = await fetch(`${origin}/docs/run/keys`, {
      headers: { 'accept-encoding': 'br' },
    });
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(await compressed.text()).toBe(page('run/keys'));
    const asset = await fetch(`${origin}/docs/assets/app.abc123.js`);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('has HEAD beside GET, and no other method', async () => {
    const head = await fetch(`${origin}/docs/run/keys`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await fetch(`${origin}/docs/run/keys`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a server that is started before the documentation is built', () => {
  const place = join(folder, 'place');

  function build(text: string): void {
    const built = mkdtempSync(join(folder, 'build-'));
    for (const name of ['index', '404']) writeFileSync(join(built, `${name}.html`), text);
    rmSync(place, { recursive: true, force: true });
    renameSync(built, place);
  }

  it('says so, and shows each build from the next request on', async () => {
    const origin = await start(place);
    const before = await fetch(`${origin}/docs/run/keys`);
    expect(before.status).toBe(404);
    expect(await before.text()).toContain('The documentation is not here yet');
    const post = await fetch(`${origin}/docs`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);

    for (const text of ['first build', 'second build, which is longer']) {
      build(text);
      const index = await fetch(`${origin}/docs/`);
      expect([index.status, await index.text()]).toEqual([200, text]);
      const nothing = await fetch(`${origin}/docs/nothing`);
      expect([nothing.status, await nothing.text()]).toEqual([404, text]);
    }
  });
});
