import { expect } from 'vitest';
import type { UpstreamServer } from '../../../../src/credentials/oauth/discovery/upstream-server.ts';
import { createOauthHttp } from '../../../../src/credentials/oauth/http.ts';
import type { OauthUpstream, UpstreamClient } from '../../../../src/credentials/oauth/upstream.ts';
import {
  type UpstreamOauthCode,
  UpstreamOauthError,
} from '../../../../src/credentials/oauth/upstream-error.ts';
import type { EgressOptions } from '../../../../src/egress/egress.ts';
import { openEgress } from '../../../egress/support.ts';

/** Requests that may reach this machine, unless told otherwise. */
export function openHttp(options?: Partial<EgressOptions>, timeout?: number) {
  const sender = { organizationId: 'organization', userId: 'user-1' };
  return createOauthHttp(openEgress(options), sender, timeout);
}

export function upstreamAt(
  url: string,
  { config, preset }: Partial<Pick<OauthUpstream, 'config' | 'preset'>> = {},
): OauthUpstream {
  return {
    organizationId: 'organization',
    integrationId: 'integration',
    url,
    config: config ?? { scopes: [] },
    preset,
  };
}

/** A server with its endpoints at an origin. */
export function serverAt(origin: string, more: Partial<UpstreamServer> = {}): UpstreamServer {
  return {
    issuer: origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    supportsClientIdMetadata: false,
    sendsIss: false,
    resource: 'https://mcp.example.com/mcp',
    ...more,
  };
}

export const CLIENT: UpstreamClient = {
  clientId: 'client-1',
  clientSecret: 'secret-1',
  authMethod: 'client_secret_post',
  source: 'static',
};

export const PUBLIC_CLIENT: UpstreamClient = {
  clientId: 'client-1',
  clientSecret: undefined,
  authMethod: 'none',
  source: 'registered',
};

export const soon = (): AbortSignal => AbortSignal.timeout(30_000);

/** Expects the failure, and that its message quotes nothing that was sent. */
export async function expectFailure(
  work: Promise<unknown> | (() => unknown),
  code: UpstreamOauthCode,
): Promise<UpstreamOauthError> {
  const error = await Promise.resolve()
    .then(() => (typeof work === 'function' ? work() : work))
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toBeInstanceOf(UpstreamOauthError);
  if (!(error instanceof UpstreamOauthError)) throw error;
  expect(error.code).toBe(code);
  expect(error.message).not.toMatch(/evil|secret-1|127\.0\.0\.1/);
  return error;
}
