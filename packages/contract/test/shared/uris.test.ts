import { describe, expect, it } from 'vitest';
import {
  httpUrlSchema,
  issuerSchema,
  redirectUriSchema,
  resourceUriSchema,
  returnUrlSchema,
} from '../../src/index.ts';
import { accepts } from './check.ts';

describe('the URL of an integration', () => {
  it.each([
    'https://tracker.example/mcp',
    'http://127.0.0.1:8080/mcp?team=a%20b',
    'HTTPS://tracker.example',
    'https://bücher.example/mcp',
    `https://a.example/${'p'.repeat(2048 - 18)}`,
  ])('accepts %s and keeps it as given', (url) => {
    expect(httpUrlSchema.parse(url)).toBe(url);
  });

  it.each([
    ['another scheme', 'ftp://a.example'],
    ['no host', 'https:///mcp'],
    ['no slashes', 'https:a.example'],
    ['a relative path', '/mcp'],
    ['a user', 'https://user@a.example'],
    ['an empty user', 'https://@a.example'],
    ['a password', 'https://user:secret@a.example'],
    ['a fragment', 'https://a.example/#top'],
    ['an empty fragment', 'https://a.example/#'],
    ['a backslash', 'https://a.example\\@b.example'],
    ['a blank', 'https://a.example/a b'],
    ['a line break that a URL parser would drop', 'https://a.exam\nple'],
    ['NUL', 'https://a.example/\0'],
    ['a port out of range', 'https://a.example:99999'],
    ['too much text', `https://a.example/${'p'.repeat(2048)}`],
    ['nothing', ''],
    ['a number', 7],
  ])('refuses %s', (_, url) => {
    expect(accepts(httpUrlSchema, url)).toBe(false);
  });
});

describe('where a browser returns to', () => {
  it('is an http or https URL that may have a fragment', () => {
    expect(accepts(returnUrlSchema, 'https://app.example/#/settings')).toBe(true);
    expect(accepts(returnUrlSchema, 'http://127.0.0.1:3000/done?a=b')).toBe(true);
    expect(accepts(returnUrlSchema, 'https://user@app.example/')).toBe(false);
    expect(accepts(returnUrlSchema, 'app://done')).toBe(false);
  });
});

describe('an issuer', () => {
  it('has a path at most', () => {
    expect(accepts(issuerSchema, 'https://id.example/tenant')).toBe(true);
    expect(accepts(issuerSchema, 'https://id.example/?tenant=1')).toBe(false);
    expect(accepts(issuerSchema, 'https://id.example/#x')).toBe(false);
  });
});

describe('a redirect URI', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example/callback?step=1',
    'http://localhost/callback',
    'http://localhost:3000',
    'http://127.0.0.1:51004/callback',
    'http://[::1]:8080/callback',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'claude://callback',
    'com.example.app:/callback',
    'vscode:callback',
  ])('accepts %s', (uri) => {
    expect(redirectUriSchema.parse(uri)).toBe(uri);
  });

  it.each([
    ['http elsewhere', 'http://app.example/callback'],
    ['http on a name that only begins as loopback', 'http://localhost.evil.example/'],
    ['http on another spelling of loopback', 'http://127.1/callback'],
    ['a loopback user name', 'http://localhost@evil.example/'],
    ['javascript', 'javascript:alert(1)'],
    ['JavaScript in capitals', 'JAVASCRIPT:alert(1)'],
    ['data', 'data:text/html,x'],
    ['file', 'file:///etc/passwd'],
    ['blob', 'blob:https://a.example/1'],
    ['about', 'about:blank'],
    ['vbscript', 'vbscript:x'],
    ['ws', 'ws://a.example'],
    ['wss', 'wss://a.example'],
    ['ftp', 'ftp://a.example'],
    ['a fragment', 'https://app.example/#done'],
    ['a wildcard', 'https://*.example/callback'],
    ['a relative reference', '/callback'],
    ['a scheme alone', 'cursor:'],
    ['https without host', 'https:///callback'],
    ['a user', 'https://user@app.example/'],
    ['a line break', 'java\nscript:alert(1)'],
    ['a blank', 'cursor://a b'],
    ['too much text', `https://a.example/${'p'.repeat(2048)}`],
  ])('refuses %s', (_, uri) => {
    expect(accepts(redirectUriSchema, uri)).toBe(false);
  });
});

describe('a resource indicator', () => {
  it.each(['https://api.example/v1?x=1', 'urn:example:api', 'api://default'])(
    'accepts %s',
    (uri) => {
      expect(accepts(resourceUriSchema, uri)).toBe(true);
    },
  );

  it.each(['https://api.example/#x', '/api', 'api', 'https://user@api.example/', ''])(
    'refuses %j',
    (uri) => {
      expect(accepts(resourceUriSchema, uri)).toBe(false);
    },
  );
});
