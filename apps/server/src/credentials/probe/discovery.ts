import {
  type ClientRegistration,
  createIntegrationBodySchema,
  type DiscoverIntegrationResponse,
  type Discovery,
  limits,
  type SuggestedIntegration,
} from '@gatehouse/contract';
import { presetForUrl } from '../oauth/presets/find-preset.ts';
import type { Preset } from '../oauth/presets/preset.ts';
import type { OauthUpstream, UpstreamClient } from '../oauth/upstream.ts';
import type { Authorization, AuthorizationFound, AuthorizationMissing } from './authorization.ts';
import type { Finding } from './finding.ts';
import { cannotConnect, NO_CHALLENGE } from './messages.ts';
import { NO_CREDENTIAL, type ProbeVerdict, verdictOfFinding } from './probe-result.ts';
import { type Probed, stagesOf } from './stages/stages.ts';

/** What a look at a URL without a credential has found. */
interface Discovered extends Pick<Probed, 'finding' | 'clock'> {
  readonly authorization: Authorization;
}

const NOT_CONNECTED = { kind: 'needs_user', reason: 'connection_required' } as const;

const REGISTRATIONS: Readonly<Record<UpstreamClient['source'], ClientRegistration>> = {
  static: 'static',
  metadata_document: 'metadata_document',
  registered: 'dynamic',
};

/** A URL as an integration that has no configuration yet. */
export function upstreamToDiscover(url: string, organizationId: string): OauthUpstream {
  const config = { scopes: [] };
  return { organizationId, integrationId: '', url, config, preset: presetForUrl(url) };
}

/** What a probe without a credential tells about an endpoint, and what to create for it. */
export function discoveryOf(url: string, discovered: Discovered): DiscoverIntegrationResponse {
  const { finding, authorization } = discovered;
  const isUnauthorized = finding.kind === 'unauthorized';
  // An open server may publish metadata all the same, and needs none of it.
  const found = isUnauthorized && isPublished(authorization) ? authorization : undefined;
  const broken = isUnauthorized && isBroken(authorization) ? authorization : undefined;
  const preset = presetForUrl(url) ?? (found && presetForUrl(found.server.issuer));
  const discovery: Discovery = {
    name: (finding.kind === 'mcp' ? finding.name : undefined) ?? null,
    era: ('era' in finding ? finding.era : undefined) ?? null,
    authentication: authenticationOf(finding, found, broken),
    provider: preset?.name ?? null,
    issuer: found?.server.issuer ?? null,
    scopes: scopesOf(found),
    registration: found === undefined ? [] : registrationsOf(found),
  };
  const { authentication } = discovery;
  return {
    discovery,
    integration: broken === undefined ? suggestionOf(url, discovery, preset) : null,
    ...verdictOf(finding, authentication, broken),
    stages: stagesOf({
      ...discovered,
      url,
      isInternal: false,
      outcome: isUnauthorized ? NOT_CONNECTED : NO_CREDENTIAL,
      authorization: found ?? broken,
      credentialTook: 0,
    }),
  };
}

function isPublished(authorization: Authorization): authorization is AuthorizationFound {
  return authorization.kind === 'found' && authorization.server.isAssumed !== true;
}

/** The server publishes something about an authorization server, but nobody can connect with it. */
function isBroken(authorization: Authorization): authorization is AuthorizationMissing {
  return authorization.kind === 'missing' && authorization.code !== 'metadata_not_found';
}

function authenticationOf(
  finding: Finding,
  found: AuthorizationFound | undefined,
  broken: AuthorizationMissing | undefined,
): Discovery['authentication'] {
  if (finding.kind === 'mcp') return 'none';
  if (found !== undefined) return 'oauth';
  // While its authorization server is in trouble, nobody knows whether there is one.
  if (broken !== undefined) return broken.outcome === 'misconfigured' ? 'oauth' : 'unknown';
  return finding.kind === 'unauthorized' && finding.isChallenge ? 'bearer' : 'unknown';
}

function scopesOf(found: AuthorizationFound | undefined): string[] {
  return [...(found?.server.resourceScopes ?? [])].slice(0, limits.scopes);
}

/** An app that an admin creates by hand works everywhere. */
function registrationsOf({ ways }: AuthorizationFound): ClientRegistration[] {
  return [...ways.map((way) => REGISTRATIONS[way]), 'static'];
}

function suggestionOf(
  url: string,
  { name, authentication, issuer }: Discovery,
  preset: Preset | undefined,
): SuggestedIntegration | null {
  if (authentication === 'unknown') return null;
  const called = name ?? preset?.title ?? new URL(url).hostname.slice(0, limits.name);
  if (authentication === 'none') return { name: called, url, authMode: 'none' };
  if (authentication === 'bearer') return { name: called, url, authMode: 'user_token' };
  // Without scopes: those of the resource are asked for, and more when a call lacks them.
  const oauth = {
    ...(preset === undefined ? {} : { provider: preset.name }),
    ...(issuer === null ? {} : { issuer }),
  };
  const suggested = { name: called, url, authMode: 'oauth', oauth } as const;
  // An issuer may be one that no configuration may name.
  return createIntegrationBodySchema.safeParse(suggested).success ? suggested : null;
}

function verdictOf(
  finding: Finding,
  authentication: Discovery['authentication'],
  broken: AuthorizationMissing | undefined,
): ProbeVerdict {
  if (broken !== undefined) return { status: 'invalid', message: cannotConnect(broken.message) };
  if (authentication === 'oauth' || authentication === 'bearer') {
    return { status: 'pending', message: 'The server was reached and asks for a credential.' };
  }
  if (finding.kind === 'unauthorized') return { status: 'invalid', message: NO_CHALLENGE };
  return verdictOfFinding({ category: 'gateway_remote_mcp' }, NO_CREDENTIAL, finding);
}
