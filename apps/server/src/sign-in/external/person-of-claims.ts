import { createMemberBodySchema } from '@gatehouse/contract';
import type { ExternalPerson } from '../../identity/external/admit-external-person.ts';
import { groupsOfClaims } from './groups-of-claims.ts';
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
