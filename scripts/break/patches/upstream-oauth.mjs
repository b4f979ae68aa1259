import { serverTest } from '../places.mjs';

const OAUTH = 'apps/server/src/credentials/oauth';
const DISCOVERY = 'credentials/oauth/discovery.test.ts';
const CLIENT = 'credentials/oauth/obtain-client.test.ts';
const EXCHANGE = 'credentials/oauth/exchange.test.ts';

export const upstreamOauthPatches = [
  {
    name: 'oauth-metadata-of-another-issuer',
    means: 'A server may say that it is the authorization server of somebody else.',
    file: `${OAUTH}/discovery/server-metadata.ts`,
    search: 'if (!isSameIssuer(issuer, document.issuer)) throw',
    replace: 'if (!isSameIssuer(String(document.issuer), document.issuer)) throw',
    test: serverTest(
      DISCOVERY,
      'discovery > refuses metadata with another issuer, but for the slash that URL libraries add',
    ),
  },
  {
    name: 'oauth-issuer-that-nobody-names',
    means: 'People are sent to a configured issuer that the MCP server does not trust.',
    file: `${OAUTH}/discovery/discover-server.ts`,
    search: 'if (named.length > 0 && !isNamed) throw',
    replace: 'if (named.length === 0 && isNamed) throw',
    test: serverTest(
      DISCOVERY,
      'discovery > uses the configured issuer, which the resource must name',
    ),
  },
  {
    name: 'oauth-resource-of-another-origin',
    means: 'Metadata for one MCP server is used for another, whose tokens then go elsewhere.',
    file: `${OAUTH}/discovery/resource-metadata.ts`,
    search: 'parsed.origin === target.origin',
    replace: "parsed.origin !== 'null' || target.origin === 'null'",
    test: serverTest(DISCOVERY, 'discovery > refuses metadata of a resource with another origin'),
  },
  {
    name: 'oauth-resource-that-begins-alike',
    means: 'Metadata for /mc is taken for that of /mcp, which another tenant may have.',
    file: `${OAUTH}/discovery/resource-metadata.ts`,
    search: 'folder(target.pathname).startsWith(folder(parsed.pathname))',
    replace: 'folder(target.pathname).startsWith(parsed.pathname)',
    test: serverTest(
      DISCOVERY,
      'discovery > refuses metadata of a resource with a path that only begins alike',
    ),
  },
  {
    name: 'oauth-plain-endpoint',
    means: 'Metadata sends people, codes and client secrets over plain http to another host.',
    file: `${OAUTH}/discovery/endpoint.ts`,
    search: "(protocol === 'http:' && url.hostname === hostname)",
    replace: "(protocol === 'http:' && hostname !== '')",
    test: serverTest(
      DISCOVERY,
      'discovery > refuses http://elsewhere.example/authorize as an endpoint',
    ),
  },
  {
    name: 'oauth-plain-issuer',
    means: 'What decides where tokens go is fetched over plain http.',
    file: 'apps/server/src/egress/oauth-sender.ts',
    search: 'return { organizationId, userId, credential: CREDENTIAL };',
    replace: 'return { organizationId, userId, credential: CREDENTIAL.slice(1) };',
    test: serverTest(DISCOVERY, 'discovery > reads nothing over plain http that is not allowed'),
  },
  {
    name: 'oauth-secret-in-resource',
    means: 'A key in the URL of an MCP server is told to its authorization server.',
    file: `${OAUTH}/discovery/discover-server.ts`,
    search: `origin : \`\${origin}\${pathname}\``,
    replace: `origin : \`\${origin}\${pathname}\${new URL(url).search}\``,
    test: serverTest(
      DISCOVERY,
      'discovery by MCP 2025-03-26 > takes metadata at the origin, and sends the URL without its query as the resource',
    ),
  },
  {
    name: 'oauth-trouble-is-absence',
    means: 'While a server is in trouble, people are sent to default endpoints instead.',
    file: `${OAUTH}/discovery/find-document.ts`,
    search: 'if (failure !== undefined) throw failure;',
    replace: 'if (failure?.retryAfter === 0) throw failure;',
    test: serverTest(
      DISCOVERY,
      'discovery > never takes trouble for metadata that is not published',
    ),
  },
  {
    name: 'oauth-server-without-pkce',
    means: 'People connect at servers where a stolen code can be redeemed by its thief.',
    file: `${OAUTH}/discovery/check-pkce.ts`,
    search: 'if (methods !== undefined || !isEntered) throw',
    replace: 'if (methods !== undefined && !isEntered) throw',
    test: serverTest(DISCOVERY, 'discovery > refuses a server that does not list S256'),
  },
  {
    name: 'oauth-promised-iss-forgotten',
    means: 'A callback without the issuer that the provider promises is taken for genuine.',
    file: `${OAUTH}/discovery/server-metadata.ts`,
    search: 'sendsIss: document.authorization_response_iss_parameter_supported === true',
    replace: "sendsIss: document.authorization_response_iss_parameter_supported === 'true'",
    test: serverTest(
      DISCOVERY,
      'discovery > asks where the challenge says, then with the path, then at the root',
    ),
  },
  {
    name: 'oauth-preset-for-any-issuer',
    means: 'What is known of one provider is used with the tokens of another.',
    file: `${OAUTH}/tokens/call-url.ts`,
    search: 'if (call === undefined || !isIssuerOf(preset, issuer)) return undefined;',
    replace: 'if (call === undefined || isIssuerOf(preset, call.url)) return undefined;',
    test: serverTest(
      'credentials/oauth/display-name.test.ts',
      'a display name > is never looked up by a provider that did not give the token',
    ),
  },
  {
    name: 'oauth-preset-endpoints-for-any-issuer',
    means: 'People who connect at one provider get to the endpoints of another.',
    file: `${OAUTH}/discovery/described-by-preset.ts`,
    search: '.find((name) => isIssuerOf(preset, name))',
    replace: '.find((name) => preset !== undefined || isIssuerOf(preset, name))',
    test: serverTest(
      DISCOVERY,
      'discovery of a known provider > takes the metadata of an issuer that is not its own',
    ),
  },
  {
    name: 'oauth-part-of-an-issuer',
    means: 'Whoever owns a domain that contains the name of a provider is taken for it.',
    file: `${OAUTH}/presets/find-preset.ts`,
    search: '/^[a-z\\d-]+(?:\\.[a-z\\d-]+)*$/i',
    replace: '/^[a-z\\d-]+(?:\\.[a-z\\d-]+)*/i',
    test: serverTest(
      'credentials/oauth/presets.test.ts',
      'the table of providers > knows an issuer only by its whole name',
    ),
  },
  {
    name: 'oauth-configured-state',
    means: 'A parameter of the configuration replaces the state that protects people.',
    file: `${OAUTH}/tokens/authorization-url.ts`,
    search: '    state,\n',
    replace: '    state: config.authorizationParams?.state ?? state,\n',
    test: serverTest(
      EXCHANGE,
      'an authorization URL > has the parameters of provider and configuration, which replace none of the flow',
    ),
  },
  {
    name: 'oauth-plain-challenge',
    means: 'The code challenge gives the verifier away.',
    file: `${OAUTH}/tokens/authorization-url.ts`,
    search: "code_challenge_method: 'S256'",
    replace: "code_challenge_method: 'plain'",
    test: serverTest(
      EXCHANGE,
      'an authorization URL > has what the flow needs, once, beside the query of the endpoint',
    ),
  },
  {
    name: 'oauth-verifier-not-sent',
    means: 'Codes are redeemed without proof that it was this browser that left.',
    file: `${OAUTH}/tokens/redeem-code.ts`,
    search: '? { code_verifier: codeVerifier } : {}',
    replace: '&& codeVerifier === code ? { code_verifier: codeVerifier } : {}',
    test: serverTest(
      EXCHANGE,
      'a token request > redeems a code with its verifier, the redirect URI and the resource',
    ),
  },
  {
    name: 'oauth-two-codes',
    means: 'A callback with a second code that somebody has added is taken.',
    file: `${OAUTH}/tokens/read-callback.ts`,
    search: 'if (!isCode || others.length > 0) throw',
    replace: 'if (!isCode && others.length >= 0) throw',
    test: serverTest(EXCHANGE, 'a callback > with two codes is refused'),
  },
  {
    name: 'oauth-client-of-another-issuer',
    means: 'The secret of a client at one provider is sent to another.',
    file: `${OAUTH}/obtain-client.ts`,
    search: 'issuer: server.issuer,',
    replace: "issuer: '',",
    test: serverTest(
      CLIENT,
      'a registered client > is used again, at the issuer and with the redirect URI that it was registered for',
    ),
  },
  {
    name: 'oauth-client-for-another-address',
    means: 'Nobody can connect any more once Gatehouse has moved to another address.',
    file: `${OAUTH}/obtain-client.ts`,
    search: '    redirectUri,\n  };\n  const known',
    replace: "    redirectUri: '',\n  };\n  const known",
    test: serverTest(
      CLIENT,
      'a registered client > is used again, at the issuer and with the redirect URI that it was registered for',
    ),
  },
  {
    name: 'oauth-expired-client',
    means: 'Nobody can connect any more once the secret of a registered client has expired.',
    file: `${OAUTH}/registrations.ts`,
    search: 'row.expiresAt.getTime() <= Date.now()',
    replace: 'row.expiresAt.getTime() <= 0',
    test: serverTest(CLIENT, 'a registered client > whose secret has expired is registered anew'),
  },
  {
    name: 'oauth-client-instead-of-the-entered',
    means: 'Gatehouse registers another client than the one whose permissions an admin has set.',
    file: `${OAUTH}/clients/client-ways.ts`,
    search: "if (config.clientId !== undefined) return ['static'];",
    replace: "if (config.clientId === '') return ['static'];",
    test: serverTest(
      'credentials/oauth/clients.test.ts',
      'the ways to be a client > are the entered client alone where there is one',
    ),
  },
  {
    name: 'oauth-name-that-turns-text',
    means: 'The name of an account at a provider changes how a page of ours reads.',
    file: `${OAUTH}/tokens/display-text.ts`,
    search: '.replaceAll(/\\p{C}+/gu, ',
    replace: '.replaceAll(/\\p{Cc}+/gu, ',
    test: serverTest(
      'credentials/oauth/display-name.test.ts',
      'a display name > has at most 200 characters and no control characters',
    ),
  },
];
