import { randomBytes } from 'node:crypto';
import type { Mac } from '../vault/mac.ts';
import type { SessionCaller, SessionRoute } from './open-session.ts';

/** What the gateway knows of a client that speaks to it because its person must connect first. */
export interface ConnectSession {
  /** Tells this session from the caller's others. */
  readonly nonce: string;
  /** The client can ask its person to open a URL. */
  readonly opensUrls: boolean;
}

/**
 * The `Mcp-Session-Id` of clients before their user has connected. Nothing is stored: the id contains
 * everything, with a MAC that binds it to the caller's token and the attachment.
 */
export interface ConnectSessionIds {
  issue(route: SessionRoute, caller: SessionCaller, opensUrls: boolean): string;
  /** Undefined for an id that was altered, or belongs to another caller, token or attachment. */
  read(id: string, route: SessionRoute, caller: SessionCaller): ConnectSession | undefined;
}

const PREFIX = 'connect.';
const NONCE_BYTES = 16;

/** Capability, nonce, tag, and the id of the key. */
const FORM = /^connect\.([tu])\.([\w-]{22})\.([\w-]{43})\.([A-Za-z0-9._-]{1,64})$/;

/** Whether an id has the form of a connect session's; no other session's id has. */
export function isConnectSessionId(id: string | undefined): id is string {
  return id?.startsWith(PREFIX) === true;
}

export function createConnectSessionIds(mac: Mac): ConnectSessionIds {
  return {
    issue(route, caller, opensUrls) {
      const session = { nonce: randomBytes(NONCE_BYTES).toString('base64url'), opensUrls };
      const { keyId, tag } = mac.sign(signedText(session, route, caller));
      return `${PREFIX}${letterOf(session)}.${session.nonce}.${tag.toString('base64url')}.${keyId}`;
    },
    read(id, route, caller) {
      const [, letter, nonce, text, keyId] = FORM.exec(id) ?? [];
      if (nonce === undefined || text === undefined || keyId === undefined) return undefined;
      const session = { nonce, opensUrls: letter === 'u' };
      const tag = Buffer.from(text, 'base64url');
      const isOurs = mac.verify(keyId, signedText(session, route, caller), tag);
      // Base64url has several spellings of one value; only ours is the id that was given out.
      return isOurs && tag.toString('base64url') === text ? session : undefined;
    },
  };
}

function letterOf({ opensUrls }: ConnectSession): string {
  return opensUrls ? 'u' : 't';
}

function signedText(
  session: ConnectSession,
  { organizationId, attachmentId }: SessionRoute,
  { subjectId, bearerId }: SessionCaller,
): string {
  const { nonce } = session;
  return JSON.stringify([
    letterOf(session),
    nonce,
    organizationId,
    attachmentId,
    subjectId,
    bearerId,
  ]);
}
