import { describe, expect, it } from 'vitest';
import {
  defaultIssuerOf,
  isIssuerOf,
  presetForUrl,
  presetOf,
} from '../../../src/credentials/oauth/presets/find-preset.ts';
import { presets } from '../../../src/credentials/oauth/presets/presets.ts';

describe('the table of providers', () => {
  it('has each name and alias once, in lower case', () => {
    const names = presets.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+$/.test(name))).toEqual([]);
  });

  it.each(presets.map((preset) => [preset.name, preset] as const))(
    '%s is complete',
    (_, preset) => {
      const { endpoints, issuers = [], registration, pkce, authMethod, help } = preset;
      const { revocation, profile } = preset;
      const own = [
        endpoints?.authorization,
        endpoints?.token,
        endpoints?.revocation,
        revocation?.url,
        profile?.url,
      ];
      for (const url of [...own, endpoints?.userinfo, help.appsUrl]) {
        if (url !== undefined) expect(url).toMatch(/^(https:\/\/|\/)/);
      }
      if (endpoints !== undefined) expect([pkce, authMethod, issuers[0]]).not.toContain(undefined);
      if (revocation !== undefined || profile !== undefined) expect(issuers).not.toEqual([]);
      if (registration === 'static') expect(help.setup).toBeDefined();
    },
  );

  it('is found by name, alias and URL', () => {
    expect(presetOf(' GitHub ')?.name).toBe('github');
    expect(presetOf('microsoft')?.name).toBe('entra');
    expect([presetOf(undefined), presetOf('other'), presetOf('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(presetForUrl('https://mcp.notion.com/mcp')?.name).toBe('notion');
    expect(presetForUrl('https://bindings.mcp.cloudflare.com/sse')?.name).toBe('cloudflare');
    expect(presetForUrl('https://login.microsoftonline.com/1/v2.0')?.name).toBe('entra');
    expect(presetForUrl('https://github.com/login/oauth')?.name).toBe('github');
  });

  it.each([
    'http://mcp.notion.com/mcp',
    'https://mcp.notion.com.evil.example/mcp',
    'https://evil.example/mcp.notion.com',
    'https://evilmcp.cloudflare.com',
    'nothing',
  ])('does not take %s for a provider', (url) => {
    expect(presetForUrl(url)).toBeUndefined();
  });

  it('knows an issuer only by its whole name', () => {
    const zendesk = presetOf('zendesk');
    expect(isIssuerOf(zendesk, 'https://acme.zendesk.com')).toBe(true);
    for (const issuer of [
      'https://evil.example/.zendesk.com',
      'https://evil.example#.zendesk.com',
    ]) {
      expect(isIssuerOf(zendesk, issuer)).toBe(false);
    }
    expect(defaultIssuerOf(zendesk)).toBeUndefined();
    expect(defaultIssuerOf(presetOf('google'))).toBe('https://accounts.google.com');
    expect(isIssuerOf(undefined, 'https://accounts.google.com')).toBe(false);
  });
});
