import type { HeaderPairs } from '../egress/sender.ts';
import { versionAmongSeveral } from '../mcp/spoken-eras.ts';
import type { Admission } from './admission.ts';
import type { Call } from './call.ts';
import { BodyStream, type RequestBody } from './request-body.ts';
import { cdnLoopFor } from './routes.ts';

const VERSION = 'mcp-protocol-version';
const ENCODING = 'accept-encoding';

/**
 * The headers of the upstream request, as name, value, name, value …: the client's that are forwarded,
 * the credential's, which replace the client's of the same name, and the upstream's own session id.
 *
 * @param mustBePlain the response must not be compressed
 *
 * A header that contains the caller's token is dropped, whatever its name.
 */
export function requestHeadersFor(
  call: Call,
  { token, route }: Pick<Admission, 'token' | 'route'>,
  credential: HeaderPairs,
  body: RequestBody,
  mustBePlain: boolean,
): string[] {
  const { inbound, session } = call;
  const { forwarded, contentLength } = inbound;
  const aggregateSession = call.request.behind?.session;
  const headers: string[] = [];
  for (let i = 0; i + 1 < forwarded.length; i += 2) {
    const name = forwarded[i] as string;
    const value = forwarded[i + 1] as string;
    if (value.length >= token.length && value.includes(token)) continue;
    if (mustBePlain && isNamed(name, ENCODING)) continue;
    if (aggregateSession !== undefined && isNamed(name, VERSION)) continue;
    if (!isReplaced(name, credential)) headers.push(name, value);
  }
  const { protocolVersion: stated } = inbound;
  if (aggregateSession !== undefined && stated !== undefined) {
    const { protocolVersion } = aggregateSession.hello;
    const agreed = call.agreedVersion ?? versionAmongSeveral(protocolVersion, route.spokenEras);
    // Versions are dates and compare as text.
    const isTooNew = stated > agreed;
    headers.push(VERSION, isTooNew ? agreed : stated);
  }
  headers.push('cdn-loop', cdnLoopFor(inbound, route.loopMark, token));
  if (mustBePlain) headers.push(ENCODING, 'identity');
  for (const [name, value] of credential) headers.push(name, value);
  if (session?.upstreamSessionId !== undefined) {
    headers.push('mcp-session-id', session.upstreamSessionId);
  }
  // undici knows the length of a whole body by itself.
  if (body instanceof BodyStream && contentLength !== undefined) {
    headers.push('content-length', String(contentLength));
  }
  return headers;
}

function isReplaced(name: string, credential: HeaderPairs): boolean {
  for (const [replacing] of credential) {
    if (isNamed(name, replacing)) return true;
  }
  return false;
}

/** @param lower a name in lower case */
function isNamed(name: string, lower: string): boolean {
  return name.length === lower.length && name.toLowerCase() === lower;
}
