import {
  type ClientRegistration,
  createIntegrationBodySchema,
  type DiscoverIntegrationResponse,
  type Discovery,
  limits,
  type SuggestedIntegration,
  serverFailures,
} from '@gatehouse/contract';
import { NO_CREDENTIAL } from '../modes/modes.ts';
import { presetForUrl } from '../oauth/presets/find-preset.ts';
import type { Preset } from '../oauth/presets/preset.ts';
import type { OauthUpstream, UpstreamClient } from '../oauth/upstream.ts';
import type { Authorization, AuthorizationFound, AuthorizationMissing } from './authorization.ts';
import type { Finding } from './finding.ts';
import { cannotConnect, type ProbeVerdict, verdictOfFailure } from './messages.ts';
import { NOT_CONNECTED, verdictOf } from './probe-result.ts';
import { outcomesOf, type Probed, stagesOf } from './stages/stages.ts';

/** What probing a URL without a credential has found. */
interface Discovered extends Pick<Probed, 'finding' | 'clock'> {
  readonly authorization: Authorization;
}

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

/** The findings of a probe without a credential, and the integration to create. */
export function discoveryOf(url: string, discovered: Discovered): DiscoverIntegrationResponse {
  const { finding, authorization } = discovered;
  const isUnauthorized = finding.kind === 'unauthorized';
  // An open server may publish metadata without needing it.
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
  const probed: Probed = {
    ...discovered,
    url,
    isInternal: false,
    outcome: isUnauthorized ? NOT_CONNECTED : NO_CREDENTIAL,
    authorization: found ?? broken,
    credentialTook: 0,
  };
  const { authentication } = discovery;
  return {
    discovery,
    integration: broken === undefined ? suggestionOf(url, discovery, preset) : null,
    ...discoveryVerdict(probed, authentication, broken),
    stages: stagesOf(probed),
  };
}

function isPublished(authorization: Authorization): authorization is AuthorizationFound {
  return authorization.kind === 'found' && authorization.server.isAssumed !== true;
}

/** The server publishes something about an authorization server, but it cannot be used to connect. */
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
  // While its authorization server fails, it is unknown whether there is one.
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
  // Without scopes: the resource's are requested, and more when a call lacks them.
  const oauth = {
    ...(preset === undefined ? {} : { provider: preset.name }),
    ...(issuer === null ? {} : { issuer }),
  };
  const suggested = { name: called, url, authMode: 'oauth', oauth } as const;
  // Not every issuer is allowed in a configuration.
  return createIntegrationBodySchema.safeParse(suggested).success ? suggested : null;
}

function discoveryVerdict(
  probed: Probed,
  authentication: Discovery['authentication'],
  broken: AuthorizationMissing | undefined,
): ProbeVerdict {
  if (broken !== undefined) return { status: 'invalid', message: cannotConnect(broken.message) };
  if (authentication === 'oauth' || authentication === 'bearer') {
    return { status: 'pending', message: 'The server was reached and asks for a credential.' };
  }
  return probed.finding.kind === 'unauthorized'
    ? verdictOfFailure(serverFailures.challenge_missing)
    : verdictOf(outcomesOf(probed), probed);
}
