import express from 'express';
import { expect, it } from 'vitest';
import { routeOf } from '../../src/http/authorize-route.ts';
import { contextOf, startRequest } from '../../src/http/context.ts';
import { accessLog } from '../../src/http/observe-requests.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { listen } from '../gateway/fixture.ts';

it('a request is logged by the template of its route, without anything its caller sent', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  const app = express();
  app.use(startRequest, accessLog(log));
  app.get('/integrations/:id', (_req, res) => {
    contextOf(res).route = routeOf('integrations.get');
    res.status(204).end();
  });
  const { origin, close } = await listen(app);
  await fetch(`${origin}/integrations/hush?cursor=hush`, {
    headers: { authorization: 'Bearer hush', cookie: 'hush', 'user-agent': 'hush' },
  });
  await close();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    method: 'GET',
    route: '/integrations/:id',
    status: 204,
  });
  expect(lines.join()).not.toContain('hush');
  expect(JSON.parse(lines[0] ?? '')).not.toHaveProperty('address');
});

it.each([401, 429])(
  'a caller who is refused with %i is logged with the address',
  async (status) => {
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => lines.push(line) });
    const app = express();
    app.use(startRequest, accessLog(log), (_req, res) => void res.status(status).end());
    const { origin, close } = await listen(app);
    await fetch(origin);
    await close();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ status, address: '127.0.0.1' });
  },
);
