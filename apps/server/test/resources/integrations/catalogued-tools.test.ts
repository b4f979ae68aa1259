import { expect, it } from 'vitest';
import { useFixture } from '../../gateway/fixture.ts';

const fixture = useFixture();

it('a validation catalogues the tools of an integration, and approves nothing', async () => {
  fixture.upstream.otherwise(({ message, respond, respondResult }) => {
    if (message?.method === 'server/discover')
      respondResult({ capabilities: { tools: {} }, supportedVersions: ['2026-07-28'] });
    else if (message?.method === 'tools/list') respondResult({ tools: [{ name: 'open' }] });
    else respond({ status: 400 });
  });
  const id = await fixture.integrate({ authMode: 'none' });
  const { body } = await fixture.api('POST', `/integrations/${id}/validate`);
  expect(body.status).toBe('valid');
  const rows = () => fixture.server.store.db.toolDefinition.findMany();
  await expect
    .poll(rows, { timeout: 5_000 })
    .toMatchObject([{ name: 'open', integrationId: id, approvedAt: null, readOnly: false }]);
});
