import {
  createHmac,
  createSign,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { IdTokenSignature } from '../settings.ts';

interface SigningKey {
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey & { readonly kid: string; readonly use: 'sig'; readonly alg: 'RS256' };
}

let key: Promise<SigningKey> | undefined;

/** One key for the whole process, made when it is first needed: an RSA key costs a tenth of a second. */
export function signingKey(): Promise<SigningKey> {
  key ??= createKey();
  return key;
}

async function createKey(): Promise<SigningKey> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = pair.publicKey.export({ format: 'jwk' });
  return {
    privateKey: pair.privateKey,
    jwk: { ...jwk, kid: randomUUID(), use: 'sig', alg: 'RS256' },
  };
}

/** How an ID token is signed. */
export interface Signing {
  readonly signature: IdTokenSignature;
  readonly clientSecret: string | undefined;
}

const ALGORITHMS: Readonly<Record<IdTokenSignature, string>> = {
  'published-key': 'RS256',
  'other-key': 'RS256',
  'client-secret': 'HS256',
  none: 'none',
};

/** Signs the claims (RFC 7515). */
export async function signIdToken(
  claims: Readonly<Record<string, unknown>>,
  { signature, clientSecret = '' }: Signing,
): Promise<string> {
  const { privateKey, jwk } = await signingKey();
  const head = { alg: ALGORITHMS[signature], typ: 'JWT', kid: jwk.kid };
  const input = [head, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  if (signature === 'none') return `${input}.`;
  if (signature === 'client-secret') {
    return `${input}.${createHmac('sha256', clientSecret).update(input).digest('base64url')}`;
  }
  const signer = signature === 'other-key' ? (await createKey()).privateKey : privateKey;
  return `${input}.${createSign('sha256').update(input).sign(signer, 'base64url')}`;
}
