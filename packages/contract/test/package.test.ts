import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage, publishingFaults } from '@gatehouse/testing';
import { expect, it } from 'vitest';

it('is packed as package managers, bundlers and both module systems want it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-contract-'));
  try {
    const tarball = await packPackage('packages/contract', folder);
    const newerThanNode10 = ['openapi.json'];
    expect(await publishingFaults(tarball, { newerThanNode10 })).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
