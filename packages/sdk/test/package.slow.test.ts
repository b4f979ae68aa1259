import { afterAll, beforeAll, describe } from 'vitest';
import { browser } from './package/browser.ts';
import { fixtures } from './package/fixtures.ts';
import { type Packed, pack, unpack } from './package/packed.ts';
import { publishing } from './package/publishing.ts';
import { runtimes } from './package/runtimes.ts';

describe('the packed package', () => {
  let packed: Packed | undefined;

  beforeAll(async () => {
    packed = await pack();
  }, 240_000);

  afterAll(async () => {
    if (packed) await unpack(packed);
  });

  const get = () => {
    if (!packed) throw new Error('The package is not packed.');
    return packed;
  };
  publishing(get);
  fixtures(get);
  runtimes(get);
  browser(get);
});
