import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src/authorization-server';
const RACES = 'authorization-server/races.test.ts';
const REFUSALS = 'authorization-server/refusals.test.ts';
const DYNAMIC = 'authorization-server/dynamic.test.ts';
const GATEWAY = 'authorization-server/gateway.test.ts';

export const authorizationServerPatches = [
  {
    name: 'oauth-code-used-twice',
    means: 'Of two requests with one authorization code at the same time, both get tokens.',
    file: `${SRC}/tokens/token-writes.ts`,
    search: ' AND "consumedAt" IS NULL RETURNING "id"`',
    replace: ' RETURNING "id"`',
    test: serverTest(
      RACES,
      'a code > redeemed many times at once gives tokens once, and these live',
    ),
  },
  {
    name: 'oauth-replay-unpunished',
    means: 'A stolen code or refresh token that comes again leaves the thief with working tokens.',
    file: `${SRC}/provider/token-adapter.ts`,
    search: '  if (grantId !== null) await revokeGrant(store, { id: grantId, organizationId });\n',
    replace: '',
    test: serverTest(
      RACES,
      'a code > used again after 3 s ends the grant, even once it has expired',
    ),
  },
  {
    name: 'oauth-strangers-end-grants',
    means: 'Any client that presents the used code of another one ends its grant.',
    file: `${SRC}/provider/token-adapter.ts`,
    search: "route !== 'token' || client?.clientId !== row.clientId",
    replace: "route !== 'token'",
    test: serverTest(RACES, 'a code > used again by another client does not end the grant'),
  },
  {
    name: 'oauth-retry-of-another-request',
    means: 'A refresh request gets the response of another one, with other scopes.',
    file: `${SRC}/tokens/token-writes.ts`,
    search: 'if (response?.request === request) return response.body;',
    replace: 'if (response) return response.body;',
    test: serverTest(
      RACES,
      'a refresh token of a public client > is not given the answer to another request',
    ),
  },
  {
    name: 'oauth-redirect-by-prefix',
    means: 'A code is sent to an address that only begins like a registered one.',
    file: 'apps/server/src/identity/redirect-uri.ts',
    search: 'if (registered.includes(uri)) return true;',
    replace: 'if (registered.some((one) => uri.startsWith(one))) return true;',
    test: serverTest(
      REFUSALS,
      'an authorization request is shown an error page, without a redirect, > when the redirect URI has a prefix',
    ),
  },
  {
    name: 'oauth-public-client-without-pkce',
    means: 'Whoever intercepts the code of a public client can redeem it.',
    file: `${SRC}/provider/configuration.ts`,
    search: "return application?.clientType !== 'confidential' || application.pkceRequired;",
    replace: 'return application?.pkceRequired === undefined;',
    test: serverTest(REFUSALS, 'an authorization request goes back with an error > without PKCE'),
  },
  {
    name: 'oauth-resource-not-attached',
    means: 'A client gets a token for an integration that its application may not use.',
    file: `${SRC}/resources.ts`,
    search: 'return attached === 0 ? undefined : application;',
    replace: 'return attached < 0 ? undefined : application;',
    test: serverTest(
      REFUSALS,
      'an authorization request goes back with an error > for an integration that is not attached',
    ),
  },
  {
    name: 'oauth-consent-of-another-person',
    means: 'Somebody agrees for the person who was signed in before in the same browser.',
    file: 'apps/server/src/http/pages/forms.ts',
    search: '{owner.sessionId}`;',
    replace: '{owner.sessionId.length}`;',
    test: serverTest(
      REFUSALS,
      'a decision on the consent page > is not taken from another person who has signed in meanwhile',
    ),
  },
  {
    name: 'oauth-token-anywhere',
    means: 'A token for one integration works at every other one.',
    file: 'apps/server/src/gateway/authorize-call.ts',
    search: "return audience.kind === 'application' || key.endsWith(audience.integrationId);",
    replace: 'return true;',
    test: serverTest(
      GATEWAY,
      'a call with an OAuth access token > is refused at another integration of the same application',
    ),
  },
  {
    name: 'oauth-credential-without-consent',
    means:
      'An application uses a person’s credential at an integration attached after they agreed.',
    file: 'apps/server/src/gateway/authorize-call.ts',
    search: 'if (authorization.integrationIds.includes(integrationId)) return credential;',
    replace: 'if (integrationId !== undefined) return credential;',
    test: serverTest(
      GATEWAY,
      'a token for the whole application > reaches what was attached later, except with the own credential of a person',
    ),
  },
  {
    name: 'oauth-application-makes-tokens',
    means: 'An application makes itself a personal token that outlives its grant.',
    file: 'apps/server/src/http/route-access.ts',
    search: '  routes.tokens.create,\n',
    replace: '',
    test: serverTest(
      GATEWAY,
      'a token for the management API > does what its scopes and the role of the person allow, and gives out no secrets',
    ),
  },
  {
    name: 'oauth-error-redirects-to-anyone',
    means: 'A link that looks like ours sends people on to an address that nobody has verified.',
    file: `${SRC}/provider/provider.ts`,
    search: "if (isDynamic && oidc.route !== 'resume')",
    replace: "if (isDynamic && oidc.route === 'resume')",
    test: serverTest(
      DYNAMIC,
      'a client that registers itself > is never redirected to with an error before a person has pressed a button',
    ),
  },
  {
    name: 'oauth-document-of-another-client',
    means: 'A metadata document that names another client is believed.',
    file: `${SRC}/clients/dynamic/metadata-document.ts`,
    search: 'document.client_id === clientId;',
    replace: 'document.client_id !== undefined;',
    test: serverTest(
      DYNAMIC,
      'a client with a metadata document > is unknown by a document of another client',
    ),
  },
];
