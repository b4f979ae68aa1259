import { expect, it } from 'vitest';
import { clientOf, STATELESS, startGateway, useFixture } from '../../gateway/fixture.ts';

const fixture = useFixture();

it('an open stream does not count as a use of its token, however often its call is admitted again', async () => {
  const { server, upstream, applicationId } = fixture;
  const used: string[] = [];
  const noteUse = (tokenId: string) => void used.push(tokenId);
  const gateway = await startGateway(server.store, { noteUse });
  const url = fixture.urlOf(await fixture.integrate(), gateway.origin);
  const answer = clientOf(server.owner)(url, { method: 'GET', headers: STATELESS });
  const exchange = await upstream.nextRequest();
  exchange.startSse();
  const stream = await answer;
  expect(used).toHaveLength(1);

  // The first change of the application admits the call of the stream again; the second one ends it.
  await fixture.api('PATCH', `/applications/${applicationId}`, { name: 'Renamed' });
  await fixture.api('DELETE', `/applications/${applicationId}`);
  await stream.text();
  expect(used).toHaveLength(1);
  await gateway.close();
});
