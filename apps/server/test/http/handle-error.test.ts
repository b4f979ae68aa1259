import express from 'express';
import { expect, it } from 'vitest';
import { handleError } from '../../src/http/handle-error.ts';
import { startRequest } from '../../src/http/start-request.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { listen } from '../gateway/fixture.ts';

it('a failure of ours is 500 without its cause, and logged without its message', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  const app = express();
  app.use(startRequest);
  app.get('/broken', () => {
    throw new TypeError('cannot read hush of undefined');
  });
  app.use(handleError(log));
  const { origin, close } = await listen(app);
  const response = await fetch(`${origin}/broken?key=hush`);
  const text = await response.text();
  await close();
  expect(response.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', instance: '/broken' });
  expect(text).not.toContain('hush');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    requestId: response.headers.get('x-request-id'),
    err: { type: 'TypeError' },
  });
  expect(lines.join()).not.toContain('hush');
});
