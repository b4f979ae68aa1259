import { connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';

const SECRET = 'secret-of-the-upstream';

const fixture = useFixture();
const [first, second] = [
  use(() => startUpstream({ requireBearer: SECRET })),
  use(() => startUpstream({ requireBearer: SECRET })),
];

const url = () => `${fixture.server.origin}/mcp/${fixture.applicationId}`;

beforeAll(async () => {
  const fields = { authMode: 'server_token', serverToken: SECRET };
  await fixture.integrate({ ...fields, name: 'First', url: first.url });
  await fixture.integrate({ ...fields, name: 'Second', url: second.url });
});

describe.each(['legacy', 'modern'] as const)('the official client, %s era', (era) => {
  it('lists and calls the tools of all integrations by one URL', async () => {
    const { owner } = fixture.server;
    const client = await connectMcpClient({ url: url(), era, bearer: owner });
    const tools = await client.listTools();
    expect(tools).toContain('first__test_simple_text');
    expect(tools).toContain('second__test_simple_text');
    expect(await client.callTool('first__test_simple_text')).toMatch(/simple text/);
    expect(await client.callTool('second__test_simple_text')).toMatch(/simple text/);
    await client.close();
    for (const upstream of [first, second]) expect(upstream.hasReceived(owner)).toBe(false);
    expect(client.received.hasReceived(SECRET)).toBe(false);
  });
});
