import express from 'express';
import { expect, it } from 'vitest';
import { startRequest } from '../../src/http/context.ts';
import { handleError } from '../../src/http/handle-error.ts';
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
  app.use(handleError(log, 'https://gatehouse.example'));
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

it('without file descriptors it is 503 with Retry-After, and logged once', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  const app = express();
  app.use(startRequest);
  const failures = [
    Object.assign(new Error('connect EMFILE 127.0.0.1:5432'), { code: 'EMFILE' }),
    new Error('could not open file "base/1/2": Too many open files'),
    new Error('wrapped', {
      cause: new Error('could not open file: No file descriptors available'),
    }),
  ];
  app.get('/:number', ({ params }) => {
    throw failures[Number(params.number)];
  });
  app.use(handleError(log, 'https://gatehouse.example'));
  const { origin, close } = await listen(app);
  for (const number of failures.keys()) {
    const response = await fetch(`${origin}/${number}`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ code: 'database_unavailable' });
  }
  await close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('raise the limit of open files');
});
