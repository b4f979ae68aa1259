import type { Api } from './api.ts';
import type { CallOptions } from './targets/target.ts';

export const redirectUris = ['https://app.example.com/callback'];

/** An id that nothing has. */
export const NOWHERE = '0190a000-0000-7000-8000-000000000000';

type Fields = Readonly<Record<string, unknown>>;

/** Creates an integration; its body. */
export async function makeIntegration(
  t: Api,
  fields: Fields = {},
  as: CallOptions['as'] = 'owner',
) {
  const body = { name: 'Issue tracker', url: 'https://mcp.example.com/mcp', ...fields };
  return (await t.ok('POST /integrations', { as, body })).body.integration;
}

/** Creates an application; its body, with the secret if it has one. */
export async function makeApplication(t: Api, oauth: Fields = {}, as: CallOptions['as'] = 'owner') {
  const body = { name: 'Assistant', oauth: { type: 'confidential', redirectUris, ...oauth } };
  const created = await t.ok('POST /applications', { as, body });
  return { ...created.body.application, secret: created.body.oauth.clientSecret };
}

/** Adds a member and opens their account; id and token. */
export async function makeMember(t: Api, role: 'owner' | 'admin' | 'member') {
  const email = `${crypto.randomUUID()}@example.com`;
  const invited = await t.ok('POST /members', { body: { email, name: 'New', role } });
  const { member, invitation } = invited.body;
  const body = { name: 'first', scopes: ['mcp', 'management:read', 'management:write'] };
  const created = await t.ok('POST /tokens', { as: { token: invitation }, body });
  return { id: member.id, email, token: created.body.secret, invitation };
}

/** A token of the owner with those scopes. */
export async function makeToken(t: Api, scopes: readonly string[]): Promise<string> {
  return (await t.ok('POST /tokens', { body: { name: 'scoped', scopes } })).body.secret;
}

/** A key for `Idempotency-Key`, in headers. */
export function onceKey(): { 'idempotency-key': string } {
  return { 'idempotency-key': crypto.randomUUID() };
}
