import { expect, it } from 'vitest';
import { findingOfExpiry } from '../../src/commands/check/certificate.ts';

const DAY = 24 * 60 * 60_000;

it.each([
  [14, 'ok'],
  [13, 'warning'],
  [3, 'warning'],
  [2, 'error'],
  [-1, 'error'],
])('a certificate that expires in %i days is %s', (days, status) => {
  const now = Date.now();
  expect(findingOfExpiry(new Date(now + days * DAY), now)).toMatchObject({ status });
});
