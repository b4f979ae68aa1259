import { createHmac, randomBytes } from 'node:crypto';

/** Headers to send unchanged. Names are in lower case. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** For whom a request is sent, and with which credential. A connection serves one sender in its life. */
export interface Sender {
  readonly organizationId: string;
  readonly userId: string;
  /** The headers that carry the credential; empty without one. */
  readonly credential: HeaderPairs;
}

/** Unique to this process, so a fingerprint reveals nothing about the credential. */
const KEY = randomBytes(32);

const fingerprints = new WeakMap<HeaderPairs, string>();

/** What the connections of a sender are found by. Contains no secret. A user belongs to one organization. */
export function senderKey({ userId, credential }: Sender): string {
  return credential.length === 0 ? userId : `${userId} ${fingerprintOf(credential)}`;
}

/** Computed once for each array, because a resolved credential is the same array at every call. */
function fingerprintOf(credential: HeaderPairs): string {
  const known = fingerprints.get(credential);
  if (known !== undefined) return known;
  const text = JSON.stringify(credential);
  const fingerprint = createHmac('sha256', KEY).update(text).digest('base64url');
  fingerprints.set(credential, fingerprint);
  return fingerprint;
}

const CREDENTIAL = [['authorization', 'OAuth']] as const;

/**
 * The sender of requests to an authorization server or about one. What such a server says decides who
 * signs in and where tokens go, also where nothing secret is sent. With a credential the sender is
 * denied plain http outside the allowed networks.
 */
export function oauthSender(organizationId: string, userId: string): Sender {
  return { organizationId, userId, credential: CREDENTIAL };
}
