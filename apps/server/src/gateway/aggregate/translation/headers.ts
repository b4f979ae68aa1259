import { FIRST_MODERN_VERSION } from '../../../mcp/era.ts';
import { encodedHeader, NAME_SOURCES } from '../../../mcp/header-values.ts';
import type { ReplacingHeaders } from '../../inbound.ts';
import type { TranslatedCall } from './translated-call.ts';

const ACCEPTED = 'application/json, text/event-stream';

/** The headers of a message for a legacy upstream, beside those of the client that are not of MCP. */
export function legacyHeaders({ side }: Pick<TranslatedCall, 'side'>): ReplacingHeaders {
  return {
    accept: ACCEPTED,
    'accept-encoding': 'identity',
    'mcp-protocol-version': side.session?.hello.protocolVersion,
  };
}

/** The headers of a request for a modern upstream, which repeat what its body says. */
export function modernHeaders({
  message,
  target,
}: Pick<TranslatedCall, 'message' | 'target'>): ReplacingHeaders {
  const { method = '', uri } = message;
  const source = NAME_SOURCES.get(method);
  const name = source === 'uri' ? uri : source && target.named?.name;
  return {
    accept: ACCEPTED,
    'accept-encoding': 'identity',
    'mcp-protocol-version': FIRST_MODERN_VERSION,
    'mcp-method': method,
    'mcp-name': name === undefined ? undefined : encodedHeader(name),
  };
}
