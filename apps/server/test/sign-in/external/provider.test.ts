import { expect, it } from 'vitest';
import { createExternalProvider } from '../../../src/sign-in/external/provider.ts';

const secrets = {
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
  codeChallenge: 'c'.repeat(43),
};

/** A provider that states this issuer in its metadata. @param issuedIn seconds from now until its ID tokens are issued */
function providerAt(issuer: string, stated: string, issuedIn = 0) {
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
  const tokens = () => {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now + issuedIn, exp: now + 3_600 };
    const claims = { iss: stated, aud: 'gatehouse', sub: 'ada', nonce: secrets.nonce, ...times };
    const parts = [{ alg: 'RS256' }, claims, {}].map((part) => JSON.stringify(part));
    const idToken = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
    return { access_token: 'a token', token_type: 'bearer', id_token: idToken };
  };
  const egress = {
    request: async (url: string | URL) => {
      sent.push(String(url));
      const answer = String(url) === metadata.token_endpoint ? tokens() : metadata;
      const body = Buffer.from(JSON.stringify(answer));
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

it.each([
  [0, true],
  [30, true],
  [600, false],
])(
  'an ID token that was issued %i seconds from now is accepted: %s',
  async (issuedIn, isAccepted) => {
    const issuer = 'https://login.example.com';
    const { provider } = providerAt(issuer, issuer, issuedIn);
    const back = new URL(`https://gatehouse.example.com/back?code=c&state=${secrets.state}`);
    const claims = provider.claimsOf(back, secrets);
    if (isAccepted) expect(await claims).toMatchObject({ sub: 'ada' });
    else await expect(claims).rejects.toThrow('"iat"');
  },
);
