import { FIRST_MODERN_VERSION } from '../../../mcp/era.ts';
import { encodedHeader, NAME_SOURCES } from '../../../mcp/header-values.ts';
import type { TranslatedCall } from './translated-call.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const ACCEPTED = {
  accept: 'application/json, text/event-stream',
  'accept-encoding': 'identity',
};

/** The headers of a message for a legacy upstream: those of the modern era go. */
export function legacyHeaders({ client, side }: Pick<TranslatedCall, 'client' | 'side'>): Headers {
  const ofModern = client.call.req.rawHeaders.filter(
    (name, index) => index % 2 === 0 && /^mcp-/i.test(name),
  );
  return {
    ...Object.fromEntries(ofModern.map((name) => [name.toLowerCase(), undefined])),
    ...ACCEPTED,
    'mcp-protocol-version': side.session?.hello.protocolVersion,
  };
}

/** The headers of a request for a modern upstream, which repeat what its body says. */
export function modernHeaders({ message, target }: TranslatedCall): Headers {
  const { method = '', uri } = message;
  const source = NAME_SOURCES.get(method);
  const name = source === 'uri' ? uri : source && target.named?.name;
  return {
    ...ACCEPTED,
    'mcp-protocol-version': FIRST_MODERN_VERSION,
    'mcp-method': method,
    'mcp-name': name === undefined ? undefined : encodedHeader(name),
  };
}
