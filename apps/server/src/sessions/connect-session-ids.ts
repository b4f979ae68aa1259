import { randomBytes } from 'node:crypto';
import type { ClientHello } from '../mcp/client-hello.ts';
import type { Mac } from '../vault/mac.ts';
import type { SessionCaller, SessionRoute } from './open-session.ts';

/** The state of a client that talks to the connect server, because its person must connect first. */
export interface ConnectSession {
  /** Tells this session from the caller's others. */
  readonly nonce: string;
  /** The client's `initialize`, for the upstream that the person connects to. */
  readonly hello: ClientHello;
}

/**
 * The `Mcp-Session-Id` of clients before their user has connected. Nothing is stored: the id contains
 * everything, with a MAC that binds it to the caller's token and the attachment. Once the person has
 * connected, it is the id of an ordinary session (`LegacySessions.adopt`).
 */
export interface ConnectSessionIds {
  issue(route: SessionRoute, caller: SessionCaller, hello: ClientHello): string;
  /** Undefined for an id that was altered, or belongs to another caller, token or attachment. */
  read(id: string, route: SessionRoute, caller: SessionCaller): ConnectSession | undefined;
}

const PREFIX = 'connect.';
const NONCE_BYTES = 16;

/** Nonce, hello, tag, and the id of the key. */
const FORM = /^connect\.([\w-]{22})\.([\w-]{1,1500})\.([\w-]{43})\.([A-Za-z0-9._-]{1,64})$/;

/** True for the form of a connect session's id; no other session's id has it. */
export function isConnectSessionId(id: string | undefined): id is string {
  return id?.startsWith(PREFIX) === true;
}

export function createConnectSessionIds(mac: Mac): ConnectSessionIds {
  return {
    issue(route, caller, hello) {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const said = Buffer.from(JSON.stringify(hello)).toString('base64url');
      const { keyId, tag } = mac.sign(signedText({ nonce, said }, route, caller));
      return `${PREFIX}${nonce}.${said}.${tag.toString('base64url')}.${keyId}`;
    },
    read(id, route, caller) {
      const [, nonce, said, text, keyId] = FORM.exec(id) ?? [];
      if (nonce === undefined || said === undefined || text === undefined || keyId === undefined) {
        return undefined;
      }
      const tag = Buffer.from(text, 'base64url');
      const isOurs = mac.verify(keyId, signedText({ nonce, said }, route, caller), tag);
      // Base64url has several spellings of one value; only ours is the id that was given out.
      const isGenuine = isOurs && tag.toString('base64url') === text;
      return isGenuine ? { nonce, hello: helloIn(said) } : undefined;
    },
  };
}

/** The MAC has been checked: the text is what `issue` wrote. */
function helloIn(said: string): ClientHello {
  return JSON.parse(Buffer.from(said, 'base64url').toString());
}

function signedText(
  { nonce, said }: { readonly nonce: string; readonly said: string },
  { organizationId, attachmentId }: SessionRoute,
  { subjectId, bearerId }: SessionCaller,
): string {
  return JSON.stringify([nonce, said, organizationId, attachmentId, subjectId, bearerId]);
}
