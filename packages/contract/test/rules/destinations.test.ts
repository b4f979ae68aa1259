import { describe, expect, it } from 'vitest';
import {
  oauthClientDestination,
  oauthDestination,
  presentDestination,
  tokenDestination,
} from '../../src/index.ts';

const oauth = {
  url: 'https://mcp.example/mcp',
  oauthIssuer: 'https://issuer.example',
  oauthClientId: 'client',
};

describe('the destination of a credential', () => {
  it('is the origin of the url for server and user tokens, whatever its path, case and default port', () => {
    expect(tokenDestination('HTTPS://MCP.Example:443/other?query=1')).toBe('https://mcp.example');
    const origins = [
      'https://mcp.example',
      'http://mcp.example',
      'https://mcp.example:8443',
      'https://mcp.example.org',
    ];
    expect(new Set(origins.map(tokenDestination)).size).toBe(4);
    for (const authMode of ['server_token', 'user_token'] as const) {
      expect(presentDestination({ ...oauth, authMode })).toBe('https://mcp.example');
    }
  });

  it('is origin, issuer and client id together for OAuth', () => {
    const changes = [
      {},
      { url: 'https://other.example' },
      { oauthIssuer: 'https://other' },
      { oauthClientId: 'other' },
      { oauthClientId: undefined },
    ];
    const all = changes.map((change) =>
      presentDestination({ ...oauth, ...change, authMode: 'oauth' }),
    );
    expect(new Set(all).size).toBe(changes.length);
    expect(
      presentDestination({ ...oauth, url: 'https://mcp.example/moved', authMode: 'oauth' }),
    ).toBe(all[0]);
    expect(oauthDestination(oauth)).toBe(all[0]);
  });

  it('is issuer and client id alone for the client secret', () => {
    const moved = { ...oauth, url: 'https://elsewhere.example' };
    expect(oauthClientDestination(moved)).toBe(oauthClientDestination(oauth));
    expect(oauthClientDestination({ ...oauth, oauthClientId: 'other' })).not.toBe(
      oauthClientDestination(oauth),
    );
  });
});
