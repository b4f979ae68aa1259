import { createMemberBodySchema, isJsonObject, limits } from '@gatehouse/contract';
import type { ExternalPerson } from '../../identity/external/admit-external-person.ts';
import type { Claims, ExternalSettings } from './provider.ts';

/** Section 2 of OpenID Connect Core 1.0. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** A person by the claims of a provider. */
export interface ClaimedPerson extends ExternalPerson {
  /** They are in more groups than the provider puts into a token, so `groups` is undefined. */
  readonly areGroupsLeftOut: boolean;
}

/** Undefined if the claims do not identify a person. */
export function personOfClaims(
  { roleClaim, groupsClaim }: Pick<ExternalSettings, 'roleClaim' | 'groupsClaim'>,
  claims: Claims,
): ClaimedPerson | undefined {
  const { iss: issuer, sub: subject } = claims;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || !SUBJECT.test(subject))
    return undefined;
  const { email, name } = createMemberBodySchema.shape;
  const groups = groupsClaim === undefined ? undefined : groupsOfClaims(claims, groupsClaim);
  return {
    issuer,
    subject,
    email: email.safeParse(claims.email).data,
    isEmailVerified: isEmailVerified(issuer, claims),
    name: name.safeParse(claims.name).data,
    role: roleClaim === undefined ? undefined : roleOf(claims[roleClaim]),
    groups: groups?.isLeftOut === false ? groups.externalIds : undefined,
    areGroupsLeftOut: groups?.isLeftOut === true,
  };
}

/**
 * Some providers send it as text. Entra ID does not send it at all, but `xms_edov` if it is set up: that
 * the domain of the email belongs to the tenant, or the person has proven the address.
 */
function isEmailVerified(issuer: string, claims: Claims): boolean {
  if (isTrue(claims.email_verified)) return true;
  const isEntra = new URL(issuer).hostname === 'login.microsoftonline.com';
  return isEntra && claims.email_verified === undefined && isTrue(claims.xms_edov);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

/**
 * Anyone who is not an admin by the claim is a member, also without the claim: a right that the provider
 * removes ends here.
 */
function roleOf(claim: unknown): 'admin' | 'member' {
  return [claim].flat().includes('admin') ? 'admin' : 'member';
}

/** What a provider calls the groups that a person is in, or that it left them out because they are too many. */
type ClaimedGroups =
  | { readonly isLeftOut: true }
  | { readonly isLeftOut: false; readonly externalIds: readonly string[] };

/**
 * A claim that is absent means no groups, unless Entra ID says that the groups are elsewhere: then they are
 * too many for a token, and nothing is known of them.
 *
 * @param name of a claim, tried whole first, as it may be a URL; then as a path into claims
 */
export function groupsOfClaims(claims: Claims, name: string): ClaimedGroups {
  const value = valueAt(claims, name);
  if (value === undefined && isElsewhere(claims, name)) return { isLeftOut: true };
  const isUsable = (one: unknown): one is string =>
    // No group has a longer one.
    typeof one === 'string' && one !== '' && one.length <= 2 * limits.externalId;
  return { isLeftOut: false, externalIds: [...new Set([value].flat().filter(isUsable))] };
}

function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const key of name.split('.')) {
    if (!isJsonObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** OpenID Connect Core 1.0 section 5.6.2; Entra ID names its claim `groups` and gives a source nobody can use. */
function isElsewhere({ _claim_names: names }: Claims, name: string): boolean {
  return isJsonObject(names) && Object.hasOwn(names, name);
}
