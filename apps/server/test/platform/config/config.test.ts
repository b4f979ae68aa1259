import { describe, expect, test } from 'vitest';
import { loadConfig, unknownVariables } from '../../../src/platform/config/config.ts';
import { SETTINGS } from '../../../src/platform/config/settings.ts';
import { messageFor } from './message-for.ts';

const key = Buffer.alloc(32, 7);
const keyText = `k1:${key.toString('base64')}`;

describe('the configuration', () => {
  test('of an empty environment listens on loopback with the embedded database', () => {
    expect(loadConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      trustedProxies: [],
      allowedOrigins: ['http://127.0.0.1:3000'],
      dataDir: './.gatehouse',
      databaseUrl: undefined,
      bootstrapToken: undefined,
      organizationName: 'Default organization',
      encryptionKeys: undefined,
      allowedNetworks: [],
      rateLimit: 600,
      metricsToken: undefined,
      logLevel: 'info',
      auditCalls: 'behind',
      auditLog: false,
      auditCallDays: 90,
      auditChangeDays: 365,
      usageDays: 400,
      shutdownDelay: 0,
      sessionActiveWindow: 300_000,
      sessionLegacyTtl: 86_400_000,
      sessionModernTtl: 1_800_000,
      passwordSignIn: true,
      oidcIssuer: undefined,
      oidcClientId: undefined,
      oidcClientSecret: undefined,
      oidcAllowedDomains: [],
      oidcRoleClaim: undefined,
      oidcGroupsClaim: undefined,
    });
  });

  test('is read from every variable', () => {
    const token = 'a'.repeat(32);
    expect(
      loadConfig({
        GATEHOUSE_HOST: '0.0.0.0',
        GATEHOUSE_PORT: '8080',
        GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example.com/',
        GATEHOUSE_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
        GATEHOUSE_ALLOWED_ORIGINS: 'https://a.example.com,http://localhost:5173',
        GATEHOUSE_DATA_DIR: '/var/lib/gatehouse',
        DATABASE_URL: 'postgresql://gatehouse:secret@db/gatehouse',
        GATEHOUSE_BOOTSTRAP_TOKEN: token,
        GATEHOUSE_ORGANIZATION_NAME: ' Example Ltd. ',
        GATEHOUSE_ENCRYPTION_KEYS: keyText,
        GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
        GATEHOUSE_RATE_LIMIT: '0',
        GATEHOUSE_METRICS_TOKEN: token,
        GATEHOUSE_LOG_LEVEL: 'debug',
        GATEHOUSE_AUDIT_CALLS: 'sync',
        GATEHOUSE_AUDIT_LOG: 'on',
        GATEHOUSE_AUDIT_CALL_DAYS: '1',
        GATEHOUSE_AUDIT_CHANGE_DAYS: '3650',
        GATEHOUSE_USAGE_DAYS: '30',
        GATEHOUSE_SHUTDOWN_DELAY: '3s',
        GATEHOUSE_SESSION_ACTIVE_WINDOW: '500ms',
        GATEHOUSE_SESSION_LEGACY_TTL: '2d',
        GATEHOUSE_SESSION_MODERN_TTL: '90s',
        GATEHOUSE_PASSWORD_SIGN_IN: 'off',
        GATEHOUSE_OIDC_ISSUER: 'https://login.example.com/tenant/v2.0',
        GATEHOUSE_OIDC_CLIENT_ID: 'gatehouse',
        GATEHOUSE_OIDC_CLIENT_SECRET: 'a secret',
        GATEHOUSE_OIDC_ALLOWED_DOMAINS: 'Example.com, example.org',
        GATEHOUSE_OIDC_ROLE_CLAIM: 'roles',
        GATEHOUSE_OIDC_GROUPS_CLAIM: 'groups',
      }),
    ).toEqual({
      host: '0.0.0.0',
      port: 8080,
      publicUrl: 'https://gatehouse.example.com',
      trustedProxies: ['loopback', '10.0.0.0/8'],
      allowedOrigins: ['https://a.example.com', 'http://localhost:5173'],
      dataDir: '/var/lib/gatehouse',
      databaseUrl: 'postgresql://gatehouse:secret@db/gatehouse',
      bootstrapToken: token,
      organizationName: 'Example Ltd.',
      encryptionKeys: [{ id: 'k1', key }],
      allowedNetworks: ['127.0.0.0/8', '::1'],
      rateLimit: 0,
      metricsToken: token,
      logLevel: 'debug',
      auditCalls: 'sync',
      auditLog: true,
      auditCallDays: 1,
      auditChangeDays: 3650,
      usageDays: 30,
      shutdownDelay: 3_000,
      sessionActiveWindow: 500,
      sessionLegacyTtl: 172_800_000,
      sessionModernTtl: 90_000,
      passwordSignIn: false,
      oidcIssuer: 'https://login.example.com/tenant/v2.0',
      oidcClientId: 'gatehouse',
      oidcClientSecret: 'a secret',
      oidcAllowedDomains: ['example.com', 'example.org'],
      oidcRoleClaim: 'roles',
      oidcGroupsClaim: 'groups',
    });
  });

  test.each([
    ['GATEHOUSE_HOST', 'not a host'],
    ['GATEHOUSE_PORT', '65536'],
    ['GATEHOUSE_PORT', '-1'],
    ['GATEHOUSE_PORT', '3e3'],
    ['GATEHOUSE_PUBLIC_URL', 'gatehouse.example.com'],
    ['GATEHOUSE_PUBLIC_URL', 'https://gatehouse.example.com/base'],
    ['GATEHOUSE_PUBLIC_URL', 'https://user:pass@gatehouse.example.com'],
    ['GATEHOUSE_PUBLIC_URL', 'ftp://gatehouse.example.com'],
    ['GATEHOUSE_PUBLIC_URL', 'https://gatehouse.example.com/?'],
    ['GATEHOUSE_TRUSTED_PROXIES', 'everyone'],
    ['GATEHOUSE_ALLOWED_ORIGINS', '*'],
    ['GATEHOUSE_ALLOWED_ORIGINS', 'https://a.example.com,,https://b.example.com'],
    ['DATABASE_URL', 'mysql://db/gatehouse'],
    ['GATEHOUSE_BOOTSTRAP_TOKEN', 'a'.repeat(31)],
    ['GATEHOUSE_BOOTSTRAP_TOKEN', `${'a'.repeat(32)} b`],
    ['GATEHOUSE_ORGANIZATION_NAME', 'x'.repeat(201)],
    ['GATEHOUSE_ENCRYPTION_KEYS', 'k1:c2hvcnQ='],
    ['GATEHOUSE_ENCRYPTION_KEYS', `${keyText},${keyText}`],
    ['GATEHOUSE_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['GATEHOUSE_RATE_LIMIT', '1.5'],
    ['GATEHOUSE_AUDIT_CALLS', 'on'],
    ['GATEHOUSE_AUDIT_LOG', 'yes'],
    ['GATEHOUSE_AUDIT_CALL_DAYS', '0'],
    ['GATEHOUSE_AUDIT_CHANGE_DAYS', '3651'],
    ['GATEHOUSE_USAGE_DAYS', '1.5'],
    ['GATEHOUSE_METRICS_TOKEN', 'short'],
    ['GATEHOUSE_LOG_LEVEL', 'loud'],
    ['GATEHOUSE_SESSION_ACTIVE_WINDOW', '5 minutes'],
    ['GATEHOUSE_SESSION_LEGACY_TTL', '0s'],
    ['GATEHOUSE_SESSION_MODERN_TTL', '30'],
    ['GATEHOUSE_PASSWORD_SIGN_IN', 'no'],
    ['GATEHOUSE_OIDC_ISSUER', 'login.example.com'],
    ['GATEHOUSE_OIDC_ISSUER', 'https://login.example.com/?tenant=1'],
    ['GATEHOUSE_OIDC_ALLOWED_DOMAINS', '@example.com'],
    ['GATEHOUSE_OIDC_ALLOWED_DOMAINS', 'example.com,'],
  ])(
    'refuses %s=%s, naming the variable and what was expected but not the value',
    (name, value) => {
      const message = messageFor({ [name]: value });
      const setting = Object.values(SETTINGS).find((other) => other.name === name);
      expect(message).toBe(`${name}: expected ${setting?.expected}.`);
    },
  );

  test.each([
    [{ GATEHOUSE_PASSWORD_SIGN_IN: 'off' }, 'GATEHOUSE_OIDC_ISSUER'],
    [{ GATEHOUSE_OIDC_CLIENT_SECRET: 'a secret' }, 'GATEHOUSE_OIDC_ISSUER'],
    [
      { GATEHOUSE_OIDC_ISSUER: 'https://login.example.com', GATEHOUSE_OIDC_CLIENT_ID: 'x' },
      'GATEHOUSE_OIDC_CLIENT_SECRET',
    ],
    [
      { GATEHOUSE_OIDC_ISSUER: 'https://login.example.com', GATEHOUSE_OIDC_CLIENT_SECRET: 'x' },
      'GATEHOUSE_OIDC_CLIENT_ID',
    ],
  ])('refuses half of a sign-in: %o needs %s', (environment, missing) => {
    expect(messageFor(environment)).toMatch(new RegExp(`^${missing}: expected .*; required with`));
  });

  test('names every wrong variable at once', () => {
    const message = messageFor({ GATEHOUSE_PORT: 'x', GATEHOUSE_RATE_LIMIT: 'y' });
    expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'GATEHOUSE_PORT',
      'GATEHOUSE_RATE_LIMIT',
    ]);
  });

  test('takes an empty variable as not set', () => {
    expect(loadConfig({ GATEHOUSE_PORT: '', DATABASE_URL: ' ' })).toEqual(loadConfig({}));
  });

  test('needs a public URL when the host is not loopback or the port is not known', () => {
    expect(messageFor({ GATEHOUSE_HOST: '0.0.0.0' })).toMatch(/^GATEHOUSE_PUBLIC_URL: .*loopback/);
    expect(messageFor({ GATEHOUSE_PORT: '0' })).toMatch(/^GATEHOUSE_PUBLIC_URL: .*PORT is 0/);
    expect(loadConfig({ GATEHOUSE_HOST: '::1' }).publicUrl).toBe('http://[::1]:3000');
    expect(loadConfig({ GATEHOUSE_HOST: 'localhost', GATEHOUSE_PORT: '80' }).publicUrl).toBe(
      'http://127.0.0.1',
    );
  });

  test('needs encryption keys with PostgreSQL', () => {
    expect(messageFor({ DATABASE_URL: 'postgresql://db/gatehouse' })).toMatch(
      /^GATEHOUSE_ENCRYPTION_KEYS: .*required with DATABASE_URL/,
    );
  });
});

test('variables that look like settings but are not are found', () => {
  const environment = {
    GATEHOUSE_PUBLIC_URI: 'https://gatehouse.example.com',
    GATEHOUSE_ALLOWED_ORIGIN: '',
    GATEHOUSE_PORT: '3000',
    GATEHOUSE_ACCESS_TOKEN: 'gh_pat_of_the_sdk',
    OTHER_VARIABLE: 'x',
  };
  expect(unknownVariables(environment)).toEqual([
    'GATEHOUSE_ALLOWED_ORIGIN',
    'GATEHOUSE_PUBLIC_URI',
  ]);
});
