import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LOOPBACK, useSurroundings } from './surroundings.ts';

const surroundings = useSurroundings();

/** What clients that cannot run here send when they register, as people have reported it. */
const REGISTRATIONS: readonly [string, Readonly<Record<string, unknown>>][] = [
  [
    // https://github.com/jlowin/fastmcp/issues/1868
    'Visual Studio Code',
    {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://localhost/',
        'http://127.0.0.1/',
        'http://localhost:33418/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'mcp',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  ],
  [
    'a client that wants a secret and more scopes',
    {
      client_name: 'Ambitious',
      redirect_uris: [LOOPBACK],
      scope: 'openid offline_access management:write mcp',
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
];

describe('the response to a registration says what is granted to', () => {
  it.each(REGISTRATIONS)('%s', async (_, metadata) => {
    await surroundings.createApplication({ allowDynamicClients: true });
    const response = await fetch(`${surroundings.server.origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    expect(response.status).toBe(201);
    const answer = await response.json();
    expect(answer).toMatchObject({
      client_name: metadata.client_name,
      redirect_uris: metadata.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      scope: 'mcp',
    });
    expect(answer).not.toHaveProperty('client_secret');
  });
});

it.each([
  ['NUL', 'a\0b'],
  ['a right-to-left override', 'knaB \u202ekcatta'],
  ['a zero-width space', 'Ba\u200bnk'],
])('a name with %s is refused', async (_, client_name) => {
  await surroundings.createApplication({ allowDynamicClients: true });
  const response = await fetch(`${surroundings.server.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name, redirect_uris: [LOOPBACK] }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'invalid_client_metadata' });
});

it('an application accepts the redirect URIs that the page about clients lists', async () => {
  const page = new URL('../../../../../docs/clients/prepare.md', import.meta.url);
  const [, json = ''] = /<!-- the redirect URIs: .*\n```json\n([\s\S]*?)```/.exec(
    readFileSync(page, 'utf8'),
  ) ?? [''];
  const body = JSON.parse(json);
  const { clientId } = await surroundings.createApplication();
  const path = `/applications/${clientId}/oauth`;
  const changed = await surroundings.server.call('PATCH', path, { body });
  expect(changed).toMatchObject({ status: 200, body: { oauth: body } });
});
