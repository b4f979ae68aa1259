import { afterAll, describe, expect, it } from 'vitest';
import { createEgress } from '../../src/egress/egress.ts';
import { ProblemError } from '../../src/platform/problem-error.ts';

const strict = createEgress({ publicUrl: 'https://gatehouse.example.com', allowedNetworks: [] });
const local = createEgress({
  publicUrl: 'https://gatehouse.example.com',
  allowedNetworks: ['127.0.0.0/8'],
});
afterAll(() => Promise.all([strict.close(), local.close()]));

const REFUSED = [
  ['dotted', 'http://127.0.0.1/'],
  ['decimal', 'http://2130706433/'],
  ['octal', 'http://0177.0.0.1/'],
  ['hexadecimal', 'http://0x7f000001/'],
  ['hexadecimal parts', 'http://0x7f.0x0.0x0.0x1/'],
  ['short', 'http://127.1/'],
  ['zero', 'http://0/'],
  ['full-width digits', 'http://１２７.０.０.１/'],
  ['circled digits', 'http://①②⑦.⓪.⓪.①/'],
  ['full-width dots', 'http://127。0。0。1/'],
  ['percent-encoded', 'http://%31%32%37.0.0.1/'],
  ['trailing dot', 'http://127.0.0.1./'],
  ['backslashes', 'http:\\\\127.0.0.1\\'],
  ['tabs inside', 'http://127.0\t.0.1/'],
  ['IPv6 loopback', 'http://[::1]/'],
  ['IPv6 written out', 'http://[0:0:0:0:0:0:0:1]/'],
  ['IPv4-mapped', 'http://[::ffff:127.0.0.1]/'],
  ['IPv4-mapped in hexadecimal', 'https://[::ffff:7f00:1]/'],
  ['IPv4-compatible', 'https://[::7f00:1]/'],
  ['NAT64', 'https://[64:ff9b::a9fe:a9fe]/'],
  ['6to4', 'https://[2002:a9fe:a9fe::]/'],
  ['metadata address', 'http://169.254.169.254/latest/meta-data/'],
  ['metadata address in decimal', 'http://2852039166/'],
  ['metadata address over IPv6', 'http://[fd00:ec2::254]/'],
  ['Azure platform', 'http://168.63.129.16/'],
  ['Alibaba metadata', 'http://100.100.100.200/'],
  ['localhost', 'http://localhost:3000/'],
  ['localhost in capitals', 'http://LOCALHOST/'],
  ['localhost with a dot', 'http://localhost./'],
  ['a name under localhost', 'http://mcp.localhost/'],
  ['localhost.localdomain', 'http://localhost.localdomain/'],
  ['ip6-localhost', 'http://ip6-localhost/'],
  ['user info before it', 'http://example.com@127.0.0.1/'],
] as const;

describe('checkUrl', () => {
  it.each(REFUSED)('refuses a non-public host written as %s, naming the setting', (_, url) => {
    const error = errorOf(() => strict.checkUrl(url));
    expect(error.code).toBe('egress_denied');
    expect(error.message).toContain('GATEHOUSE_ALLOWED_NETWORKS');
  });

  it.each([
    'https://gatehouse.example.com/mcp/a/b',
    'http://gatehouse.example.com',
    'https://GATEHOUSE.example.com.:443/',
  ])("refuses the service's own host: %s", (url) => {
    expect(errorOf(() => strict.checkUrl(url)).message).toContain('this service itself');
  });

  it.each(['https://gatehouse.example.com:8443/', 'https://mcp.gatehouse.example.com/'])(
    'allows another port or name: %s',
    (url) => {
      expect(() => strict.checkUrl(url)).not.toThrow();
    },
  );

  it.each(['file:///etc/passwd', 'gopher://example.com/', 'data:,x', 'no url'])(
    'refuses %s',
    (url) => {
      expect(errorOf(() => strict.checkUrl(url)).code).toBe('egress_denied');
    },
  );

  it.each([
    'https://mcp.example.com/mcp?key=1',
    'https://93.184.216.34/',
    'http://example.localhosts/',
  ])('leaves %s to the dial', (url) => expect(strict.checkUrl(url)).toBeUndefined());

  it('allows literal addresses and localhost inside the allowed networks', () => {
    local.checkUrl('http://127.0.0.1:8080/mcp', 'credentials');
    local.checkUrl('http://localhost.:8080/mcp', 'credentials');
    expect(errorOf(() => local.checkUrl('http://10.0.0.1/')).code).toBe('egress_denied');
  });

  it('refuses credentials over plain http to a public address', () => {
    expect(errorOf(() => strict.checkUrl('http://8.8.8.8/', 'credentials')).message).toContain(
      'https',
    );
    strict.checkUrl('http://8.8.8.8/', 'nothing');
    strict.checkUrl('https://8.8.8.8/', 'credentials');
  });

  it('quotes nothing of the URL', () => {
    const error = errorOf(() =>
      strict.checkUrl('http://user:pass-word@127.0.0.1/path-part?key=query-part'),
    );
    expect(error.message).not.toMatch(/user|pass-word|127|path-part|query-part/);
  });
});

function errorOf(act: () => void): ProblemError {
  try {
    act();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
