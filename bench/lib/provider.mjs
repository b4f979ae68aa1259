import { createServer } from 'node:http';

/**
 * An authorization server that grants every request, always with the upstream's access token.
 *
 * @param expiresIn seconds
 */
export async function startProvider(accessToken, expiresIn = 86_400) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://provider');
    if (pathname === '/authorize') return sendBack(response, issuer, searchParams);
    const document = { [METADATA]: metadataOf(issuer), '/token': tokensOf(accessToken, expiresIn) }[
      pathname
    ];
    response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { issuer, close };
}

const METADATA = '/.well-known/oauth-authorization-server';

const metadataOf = (issuer) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

const tokensOf = (accessToken, expiresIn) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresIn,
  refresh_token: 'refresh-token',
});

function sendBack(response, issuer, query) {
  const url = new URL(query.get('redirect_uri'));
  url.search = new URLSearchParams({ code: 'code', state: query.get('state'), iss: issuer });
  response.writeHead(303, { Location: url.href }).end();
}
