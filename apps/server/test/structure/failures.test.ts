import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorizationFailures, credentialFailures, serverFailures } from '@gatehouse/contract';
import { expect, it } from 'vitest';
import { callFailures, exchangeFailures } from '../../src/credentials/failures.ts';

const CATALOGUE = [
  serverFailures,
  authorizationFailures,
  credentialFailures,
  callFailures,
  exchangeFailures,
];
const ROOTS = ['apps/server/src', 'packages/mocks/src'];
const REPOSITORY = join(import.meta.dirname, '../../../..');

/** Without the first letter and the full stop, so that it is found within a longer sentence too. */
const PHRASES = CATALOGUE.flatMap((failures) =>
  Object.values(failures).map(({ sentence }) => sentence.slice(1, -1)),
);

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

it('the sentence of a failure is written only in the catalogue', () => {
  const again = ROOTS.flatMap((root) =>
    readdirSync(join(REPOSITORY, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('generated'))
      .filter((path) => path !== 'credentials/failures.ts')
      .flatMap((path) => {
        const source = withoutComments(readFileSync(join(REPOSITORY, root, path), 'utf8'));
        return PHRASES.filter((phrase) => source.includes(phrase)).map(
          (phrase) => `${root}/${path}: …${phrase}`,
        );
      }),
  );
  expect(again).toEqual([]);
});

it('each failure has a sentence that no other has', () => {
  const shared = exchangeFailures.client_rejected.sentence.slice(1, -1);
  const phrases = PHRASES.filter((phrase) => phrase !== shared);
  expect(new Set(phrases).size).toBe(phrases.length);
});
