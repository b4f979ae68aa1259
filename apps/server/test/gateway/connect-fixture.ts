import type { SpokenEras } from '../../src/mcp/spoken-eras.ts';
import { type Answer, BOTH, clientOf, type Fixture, type SendOptions } from './fixture.ts';

export const META = 'io.modelcontextprotocol';

const CLIENT = { clientInfo: { name: 'client', version: '1' } };

/** The body of a legacy `initialize`. */
export function initializeBody(protocolVersion = '2025-11-25', capabilities: object = {}) {
  const params = { protocolVersion, capabilities, ...CLIENT };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

/** A conforming request of the modern era: its body, and the headers that mirror it. */
export function modernRequest(
  method: string,
  params: Record<string, unknown> = {},
  capabilities: object = {},
): Required<Pick<SendOptions, 'headers' | 'body'>> {
  const _meta = {
    ...(typeof params._meta === 'object' ? params._meta : {}),
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientCapabilities`]: capabilities,
  };
  const name = params.name ?? params.uri;
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: { jsonrpc: '2.0', id: 5, method, params: { ...params, _meta } },
  };
}

/** The body of an answer. `text` gives its bytes one by one. */
export async function jsonOf({ text }: Answer) {
  return JSON.parse(Buffer.from(await text(), 'latin1').toString());
}

/** A person who is not connected to an integration. */
export interface Unconnected {
  readonly integrationId: string;
  readonly url: string;
  readonly connectUrl: string;
  readonly token: string;
  send(options: SendOptions): Promise<Answer>;
  /** A response that is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body
  ask(options: SendOptions): Promise<any>;
  /** Initializes, and returns the headers of the session. */
  initialize(version?: string, capabilities?: object): Promise<Record<string, string>>;
  connect(): Promise<unknown>;
}

/** @param eras that the upstream is known to speak */
export async function startUnconnected(
  fixture: Fixture,
  fields: Record<string, unknown> = {},
  eras: SpokenEras = BOTH,
): Promise<Unconnected> {
  const { token } = await fixture.server.addMember('member');
  const integrationId = await fixture.integrate({ authMode: 'user_token', ...fields }, eras);
  const url = fixture.urlOf(integrationId);
  const send = (options: SendOptions) => clientOf(token)(url, options);
  return {
    integrationId,
    url,
    connectUrl: `${fixture.server.origin}/connect?integration=${integrationId}`,
    token,
    send,
    ask: async (options) => jsonOf(await send(options)),
    async initialize(version = '2025-11-25', capabilities = {}) {
      const { headers } = await send({ body: initializeBody(version, capabilities) });
      return {
        'mcp-session-id': String(headers['mcp-session-id']),
        'mcp-protocol-version': version,
      };
    },
    connect: () =>
      fixture.api('POST', `/integrations/${integrationId}/connection`, { token: 'secret' }, token),
  };
}
