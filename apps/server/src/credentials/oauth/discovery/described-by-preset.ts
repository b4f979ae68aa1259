import { isIssuerOf } from '../presets/find-preset.ts';
import type { Preset } from '../presets/preset.ts';
import type { ServerDescription } from './upstream-server.ts';

/** What the table of providers knows of an issuer; undefined if it leaves that to the issuer's metadata. */
export function describedByPreset(
  preset: Preset | undefined,
  issuer: string,
): ServerDescription | undefined {
  const endpoints = preset?.endpoints;
  // Names of a bare origin may end with a slash, which a URL library adds.
  const known = [issuer, issuer.replace(/\/$/, '')].find((name) => isIssuerOf(preset, name));
  if (endpoints === undefined || known === undefined) return undefined;
  const urlOf = (endpoint: string | undefined) =>
    endpoint === undefined ? undefined : new URL(endpoint, issuer).href;
  const { authorization, token, revocation, userinfo } = endpoints;
  return {
    issuer: known,
    authorizationEndpoint: new URL(authorization, issuer).href,
    tokenEndpoint: new URL(token, issuer).href,
    revocationEndpoint: urlOf(revocation),
    userinfoEndpoint: urlOf(userinfo),
    supportsClientIdMetadata: false,
    sendsIss: false,
  };
}
