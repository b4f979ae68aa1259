import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer();

/** The same for every well-formed id. */
const ID = '01900000-0000-7000-8000-000000000000';

/** What a browser asks before an MCP client on a web page sends its header. */
function preflight(path: string, method: string): Promise<Response> {
  const headers = {
    origin: 'https://client.example.com',
    'access-control-request-method': method,
    'access-control-request-headers': 'mcp-protocol-version',
  };
  return fetch(server.origin + path, { method: 'OPTIONS', headers });
}

describe('an MCP client on a web page of any origin', () => {
  it.each([
    ['GET', `/.well-known/oauth-protected-resource/mcp/${ID}/${ID}`],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['POST', '/oauth/register'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/revoke'],
  ])('may %s %s', async (method, path) => {
    const { status, headers } = await preflight(path, method);
    expect(status).toBe(204);
    const origin = headers.get('access-control-allow-origin');
    expect(['*', 'https://client.example.com']).toContain(origin);
    expect(headers.get('access-control-allow-methods')).toContain(method);
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
      'mcp-protocol-version',
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(['/oauth/authorize', '/sign-in'])('may not read %s', async (path) => {
    const { headers } = await preflight(path, 'GET');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
