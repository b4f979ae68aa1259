import { expect, it } from 'vitest';
import { CALL, clientOf, MODERN, useFixture } from '../gateway/fixture.ts';
import { HOUR } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);

it('calls through the gateway are in the usage a second or two later', async () => {
  const integrationId = await fixture.integrate();
  const url = fixture.urlOf(integrationId);
  for (const status of [200, 500]) {
    const answer = send(url, { headers: MODERN });
    (await fixture.upstream.nextRequest()).respond({ status });
    await (await answer).text();
  }
  await (await send(url, { headers: MODERN, token: 'gh_pat_unknown' })).text();
  await fixture.api('PUT', `/integrations/${integrationId}/policy`, { tools: { deny: ['echo'] } });
  await (await send(url, { headers: MODERN })).text();

  const [from, to] = [-HOUR, HOUR].map((span) => new Date(Date.now() + span).toISOString());
  const path = `/usage?from=${from}&to=${to}&step=hour&groupBy=tool&integrationId=${integrationId}`;
  const read = async () => {
    const { series } = (await fixture.api('GET', path)).body;
    return series.flatMap(({ key, points }: { key: string; points: { calls: number }[] }) =>
      points.filter(({ calls }) => calls > 0).map((point) => ({ key, ...point })),
    );
  };
  await expect.poll(read).toMatchObject([
    {
      key: 'echo',
      ...{ calls: 3, refusals: 1, errors: 0, upstreamErrors: 1 },
      bytesIn: 3 * JSON.stringify(CALL).length,
      lastErrorAt: expect.any(String),
    },
  ]);
});
