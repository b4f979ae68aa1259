import type { MockGatehouse } from '@gatehouse/mocks';
import { send } from '../../demo/people.ts';

export const LARGE = { applications: 300, integrations: 200, edges: 3000 } as const;

/** An organization of 300 applications and 200 integrations with 3,000 attachments between them: 300 to some tools, 150 refused. */
export async function addLargeGraph(gatehouse: MockGatehouse): Promise<void> {
  const { fixtures } = gatehouse;
  const number = (index: number) => String(index + 1).padStart(3, '0');
  const integrations = Array.from({ length: LARGE.integrations }, (_, index) =>
    fixtures.addIntegration({
      name: `Integration ${number(index)}`,
      url: `https://mcp-${index}.example/mcp`,
      authMode: 'none',
    }),
  );
  const applications = Array.from(
    { length: LARGE.applications },
    (_, index) => fixtures.addApplication({ name: `Application ${number(index)}` }).application,
  );
  const each = LARGE.edges / LARGE.applications;
  for (const [row, { id }] of applications.entries()) {
    for (let edge = 0; edge < each; edge += 1) {
      // Steps that have no divisor in common with the number of integrations: no pair comes twice.
      const place = (row * 37 + edge * 61) % LARGE.integrations;
      fixtures.attach(id, integrations[place]?.id ?? '');
    }
  }
  for (const { id } of integrations.slice(0, 20)) {
    const tool = { integrationId: id, readOnly: false };
    fixtures.addTool({ ...tool, name: 'read', fingerprint: 'a'.repeat(64) });
    fixtures.addTool({ ...tool, name: 'write', fingerprint: 'b'.repeat(64) });
    await send(gatehouse, 'PUT', `/integrations/${id}/policy`, { tools: { deny: ['write'] } });
  }
  for (const { id } of integrations.slice(-10)) {
    await send(gatehouse, 'PUT', `/integrations/${id}/policy`, { roles: ['member'] });
  }
}
