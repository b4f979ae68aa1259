import { hintOf, serverFailures, type ValidationStage } from '@gatehouse/contract';
import type { MockGatehouse } from '@gatehouse/mocks';
import { seedCalls } from './calls.ts';
import { seedListings } from './listings.ts';
import { seedPeople, send } from './people.ts';
import { servers } from './servers.ts';
import { seedTools } from './tools.ts';
import { seedUsage } from './usage.ts';
import { seenHoursAgo } from './verification.ts';

const REFUSED: readonly ValidationStage[] = [
  {
    stage: 'address',
    status: 'failed',
    code: 'refused',
    milliseconds: 1204,
    hint: hintOf(serverFailures.refused),
  },
  ...(
    ['tls', 'http', 'mcp', 'challenge', 'discovery', 'registration', 'credential', 'tools'] as const
  ).map((stage) => ({
    stage,
    status: 'skipped' as const,
    code: 'not_reached' as const,
    milliseconds: 0,
  })),
];

/** What an organization looks like after some months. */
export async function seedDemo(gatehouse: MockGatehouse): Promise<void> {
  const { fixtures } = gatehouse;
  const added = servers.map((server) => fixtures.addIntegration(server));
  const named = (name: string) => {
    const found = added.find((integration) => integration.name === name);
    if (found === undefined) throw new Error(`The demo has no integration ${name}.`);
    return found.id;
  };
  for (const name of ['Jira', 'Payroll']) {
    gatehouse.setValidation(named(name), {
      status: 'invalid',
      message: `${serverFailures.refused.sentence} ${hintOf(serverFailures.refused)}`,
      stages: REFUSED,
    });
  }
  fixtures.addNode({ name: 'gatehouse-2:7', version: '0.0.0-mock' });
  await seedTools(gatehouse, named('GitHub'));
  seedListings(gatehouse, named('GitHub'));
  const people = await seedPeople(gatehouse, named('Reports'));
  seedConnections(gatehouse, named);
  const applications = seedApplications(gatehouse, named, people);
  const cursorId = applications.get('Cursor') ?? '';
  const ids = {
    application: (name: string) => applications.get(name) ?? '',
    integration: named,
    person: (name: string) => people.get(name) ?? '',
  };
  seedCalls(gatehouse, ids);
  fixtures.setAuditVerification(seenHoursAgo(4));
  seedUsage(gatehouse, ids);
  const policy = { tools: { deny: ['delete_*', 'merge_*'] } };
  const attachment = `/applications/${cursorId}/integrations/${named('GitHub')}`;
  await send(gatehouse, 'PUT', `${attachment}/policy`, policy);
  // The last ones stay as nobody has looked at them yet.
  for (const { id } of added.slice(0, -3)) {
    await send(gatehouse, 'POST', `/integrations/${id}/validate`);
  }
}

function seedConnections({ fixtures }: MockGatehouse, named: (name: string) => string): void {
  for (const name of ['GitHub', 'Notion', 'Stripe']) {
    fixtures.addConnection({ integrationId: named(name), displayName: 'ana@example.com' });
  }
  fixtures.addConnection({
    integrationId: named('Linear'),
    reason: 'needs_reauth',
    displayName: 'ana@example.com',
  });
  fixtures.addConnection({ integrationId: named('Datadog'), reason: 'rejected_upstream' });
  fixtures.addConnection({ integrationId: named('Slack'), expiresAt: '2026-01-01T00:00:00.000Z' });
}

/** @returns the ids of the applications by their names */
function seedApplications(
  { fixtures }: MockGatehouse,
  named: (name: string) => string,
  people: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const attach = (id: string, names: readonly string[]) => {
    for (const name of names) fixtures.attach(id, named(name));
  };
  const { application: cursor } = fixtures.addApplication({
    name: 'Cursor',
    oauth: {
      type: 'public',
      redirectUris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
      allowDynamicClients: true,
    },
  });
  attach(cursor.id, ['Linear', 'GitHub', 'Notion', 'Docs search']);
  const { application: nightly } = fixtures.addApplication({
    name: 'Nightly report',
    oauth: { type: 'confidential', redirectUris: [], scopes: ['mcp', 'credentials'] },
  });
  attach(nightly.id, ['Warehouse', 'Reports', 'Billing API']);
  const { application: assistant } = fixtures.addApplication({ name: 'Support assistant' });
  attach(assistant.id, ['Notion', 'Jira', 'Slack']);
  const { application: hostile } = fixtures.addApplication({
    name: '"><svg onload=alert(1)> <b>bold</b>',
  });
  attach(hostile.id, ['Weather']);
  fixtures.addApplication({ name: 'Not attached yet' });
  const github = named('GitHub');
  fixtures.addGrant({ applicationId: cursor.id });
  fixtures.addSession({ applicationId: cursor.id, integrationId: github, live: true });
  fixtures.addSession({ applicationId: cursor.id, integrationId: github, era: 'legacy' });
  fixtures.addSession({
    applicationId: cursor.id,
    integrationId: named('Linear'),
    state: 'closed',
  });
  fixtures.addSession({
    applicationId: assistant.id,
    integrationId: named('Notion'),
    state: 'revoked',
  });
  for (const [applicationId, integration, person] of [
    [assistant.id, 'Notion', 'Li Wei'],
    [hostile.id, 'Weather', '<img src=x onerror=alert(2)>'],
    [hostile.id, 'Weather', 'אנה 安娜 🏳️‍🌈'],
  ] as const) {
    const userId = people.get(person) ?? '';
    fixtures.addSession({ applicationId, integrationId: named(integration), userId });
  }
  return new Map([cursor, nightly, assistant, hostile].map(({ id, name }) => [name, id]));
}
