import type { MockGatehouse } from '@gatehouse/mocks';
import { getResponse } from 'msw';

const PEOPLE = [
  ['Jon Park', 'admin'],
  ['Ana Moreau', 'owner'],
  ['Li Wei', 'member'],
  ['Sam Ortiz', 'member'],
  ['<img src=x onerror=alert(2)>', 'member'],
  ['אנה 安娜 🏳️‍🌈', 'member'],
] as const;

/**
 * People, groups and tokens as an owner makes them, some with names that try to be more than names.
 *
 * @returns the ids of the people by their names
 */
export async function seedPeople(
  gatehouse: MockGatehouse,
  restricted: string,
): Promise<ReadonlyMap<string, string>> {
  const members = new Map<string, string>();
  for (const [index, [name, role]] of PEOPLE.entries()) {
    const body = { email: `person-${index}@example.com`, name, role };
    const { member } = await send<{ member: { id: string } }>(gatehouse, 'POST', '/members', body);
    members.set(name, member.id);
  }
  const group = async (name: string, people: readonly string[], externalId?: string) => {
    const body = { name, ...(externalId !== undefined && { externalId }) };
    const made = await send<{ group: { id: string } }>(gatehouse, 'POST', '/groups', body);
    for (const person of people) {
      await send(gatehouse, 'PUT', `/groups/${made.group.id}/members/${members.get(person)}`);
    }
    return made.group.id;
  };
  await group('<script>alert(3)</script> & friends', []);
  await group('Sales', [], 'cn=sales,ou=groups,dc=example,dc=com');
  await group('Platform', ['Jon Park', 'Li Wei']);
  const support = await group('Support', ['Sam Ortiz']);
  await send(gatehouse, 'PUT', `/integrations/${restricted}/policy`, { groups: [support] });
  for (const [name, scopes] of [
    ['Deployments of the shop', ['management:read']],
    ['"><b>Laptop</b>', ['mcp', 'management:write']],
  ] as const) {
    const expiresAt = new Date(Date.now() + 60 * 24 * 3_600_000).toISOString();
    await send(gatehouse, 'POST', '/tokens', { name, scopes, expiresAt });
  }
  return members;
}

/** As an owner does it, by the API. @throws Error where it is refused */
export async function send<Body>(
  { baseUrl, tokens, handlers }: MockGatehouse,
  method: string,
  path: string,
  body: unknown = {},
): Promise<Body> {
  const request = new Request(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await getResponse([...handlers], request);
  if (!response?.ok)
    throw new Error(`The demo got HTTP ${response?.status} for ${method} ${path}.`);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}
