import { expect, it } from 'vitest';
import { createExternalProvider } from '../../../src/sign-in/external/provider.ts';

const secrets = {
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
  codeChallenge: 'c'.repeat(43),
};

/** A provider that answers every request with this issuer in its metadata. */
function providerAt(issuer: string, stated: string) {
  const sent: string[] = [];
  const settings = {
    issuer,
    clientId: 'gatehouse',
    clientSecret: 'a secret',
    allowedDomains: [],
    roleClaim: undefined,
    groupsClaim: undefined,
  };
  const metadata = {
    issuer: stated,
    authorization_endpoint: 'https://login.example.com/authorize',
    token_endpoint: 'https://login.example.com/token',
    jwks_uri: 'https://login.example.com/keys',
  };
  const egress = {
    request: async (url: string | URL) => {
      sent.push(String(url));
      const body = Buffer.from(JSON.stringify(metadata));
      const headers = { 'content-type': 'application/json' };
      return { status: 200, headers, body, isTruncated: false };
    },
  };
  const provider = createExternalProvider(settings, egress, 'https://gatehouse.example.com/back');
  return { provider, sent };
}

const TENANT = 'https://login.microsoftonline.com/0b3c/v2.0';

it.each([
  [
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/{tenantid}/v2.0',
  ],
  [TENANT, 'https://login.microsoftonline.com/9f9f/v2.0'],
  ['https://t.b2clogin.com/t/v2.0', 'https://t.b2clogin.com/other/v2.0'],
  ['https://login.example.com', 'https://other.example.com'],
])('the issuer %s is not used when the provider states %s', async (issuer, stated) => {
  const { provider } = providerAt(issuer, stated);
  await expect(provider.authorizationUrl(secrets)).rejects.toThrow();
});

it.each([
  [TENANT, TENANT],
  ['https://login.example.com', 'https://login.example.com/'],
])(
  'the issuer %s is used when the provider states %s, and asked for once',
  async (issuer, stated) => {
    const { provider, sent } = providerAt(issuer, stated);
    const urls = await Promise.all([1, 2, 3].map(() => provider.authorizationUrl(secrets)));
    expect(urls.map(({ origin }) => origin)).toEqual(Array(3).fill('https://login.example.com'));
    expect(sent).toHaveLength(1);
  },
);
