import { expect, it } from 'vitest';
import { logRefusals } from '../../../../src/credentials/oauth/refresh/log-refusals.ts';
import { UpstreamOauthError } from '../../../../src/credentials/oauth/upstream-error.ts';
import { createLogger } from '../../../../src/platform/logging.ts';

const said = new UpstreamOauthError('client_rejected', { error: 'invalid_client' });

it('a line is written five times a minute for each integration, however many people it concerns', () => {
  const lines: string[] = [];
  const onRefusal = logRefusals(createLogger('info', { write: (line) => lines.push(line) }));
  for (let person = 0; person < 20; person += 1) onRefusal(said, 'one');
  expect(lines).toHaveLength(5);
  onRefusal(said, 'another');
  expect(lines).toHaveLength(6);
});

it('no line is written where the provider said nothing', () => {
  const lines: string[] = [];
  const onRefusal = logRefusals(createLogger('info', { write: (line) => lines.push(line) }));
  onRefusal(new UpstreamOauthError('timeout'), 'one');
  expect(lines).toEqual([]);
});
