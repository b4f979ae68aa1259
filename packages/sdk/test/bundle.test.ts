import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as source from '../src/index.ts';
import config from '../tsup.config.ts';

describe('the built root entry', () => {
  let outDir: string;

  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'gatehouse-sdk-'));
    await build({ ...config, config: false, silent: true, outDir });
  }, 30_000);

  afterAll(() => rm(outDir, { recursive: true }));

  it.each(['index.js', 'index.d.ts'])('%s imports nothing', async (name) => {
    const text = await readFile(join(outDir, name), 'utf8');
    expect(text.match(/^\s*(import|export)\b.*\bfrom\b.*$/gm)).toBeNull();
    expect(text).not.toMatch(/\b(import|require)\s*\(/);
    expect(text).not.toMatch(/@gatehouse\/contract|node:|zod|ts-rest/);
  });

  it('exports what the source exports', async () => {
    const built: object = await import(join(outDir, 'index.js'));
    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
  });
});
