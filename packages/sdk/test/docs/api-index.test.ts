import { routes } from '@gatehouse/contract/routes';
import { expect, it } from 'vitest';
import { apiIndex } from './support/api-index.ts';
import { expectGenerated } from './support/generated-file.ts';

it('the index of operations is that of the route table', async () => {
  await expectGenerated('api.md', apiIndex());
});

it('the index of operations has a row for every route', () => {
  const count = Object.values(routes).flatMap(Object.keys).length;
  expect(apiIndex().match(/^\| `/gm)).toHaveLength(count);
});
