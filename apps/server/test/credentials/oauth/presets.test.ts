import { knownServers } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import {
  defaultIssuerOf,
  isIssuerOf,
  presetForUrl,
  presetOf,
  presets,
} from '../../../src/credentials/oauth/presets/find-preset.ts';

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
      const { revocation, profile, sources } = preset;
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
      for (const url of sources) expect(new URL(url).protocol).toBe('https:');
      if (endpoints !== undefined) expect([pkce, authMethod, issuers[0]]).not.toContain(undefined);
      if (revocation !== undefined || profile !== undefined) expect(issuers).not.toEqual([]);
      if (registration === 'static') expect(help.setup).toBeDefined();
    },
  );

  it.each(knownServers.filter(({ authMode }) => authMode === 'oauth'))(
    'has the known server $name, by its URL and by the same page',
    ({ url, documentation }) => {
      expect(presetForUrl(url)?.sources).toContain(documentation);
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
    expect(presetForUrl('https://mcp.cloudflare.com/mcp')?.name).toBe('cloudflare');
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

  // As the metadata of these resources says. With another issuer in the table, that would not be used.
  it.each([
    ['https://mcp.airtable.com/mcp', 'https://airtable.com/oauth2/v1'],
    ['https://mcp.asana.com/v2/mcp', 'https://app.asana.com'],
    ['https://mcp.box.com', 'https://api.box.com'],
    ['https://mcp.dropbox.com/mcp', 'https://www.dropbox.com'],
    ['https://api.githubcopilot.com/mcp/', 'https://github.com/login/oauth'],
    ['https://gitlab.com/api/v4/mcp', 'https://gitlab.com'],
    ['https://gmailmcp.googleapis.com/mcp/v1', 'https://accounts.google.com'],
    ['https://mcp.hubspot.com', 'https://mcp.hubspot.com'],
    [
      'https://api.salesforce.com/platform/mcp/v1/platform/sobject-all',
      'https://login.salesforce.com',
    ],
    ['https://mcp.slack.com/mcp', 'https://mcp.slack.com'],
    ['https://mcp.zoom.us/mcp/zoom/streamable', 'https://zoom.us'],
  ])('knows the issuer that %s names', (url, issuer) => {
    const preset = presetForUrl(url);
    expect(isIssuerOf(preset, issuer)).toBe(true);
    expect(defaultIssuerOf(preset)).toBe(issuer);
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
