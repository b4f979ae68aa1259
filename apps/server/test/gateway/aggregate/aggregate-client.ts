import type { Era } from '../../../src/mcp/era.ts';
import { initializeBody, modernRequest } from '../connect-fixture.ts';
import { type Answer, clientOf, type Fixture, type SendOptions } from '../fixture.ts';

/** What a request was answered with. */
export interface Replied {
  readonly status: number;
  /** Undefined for a body that is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body
  readonly body: any;
  readonly text: string;
}

/** A client of one application's URL, with its session if it is a legacy one. */
export interface AggregateClient {
  readonly headers: Readonly<Record<string, string>>;
  ask(method: string, params?: Record<string, unknown>): Promise<Replied>;
  call(name: string, args?: object): Promise<Replied>;
  /** The exposed names, and the integrations' states and counts by alias. */
  listTools(): Promise<{
    readonly names: readonly string[];
    readonly states: Readonly<Record<string, string>>;
  }>;
  send(options: SendOptions): Promise<Answer>;
}

/** A new application without integrations; its id. */
export async function newApplication({ api }: Fixture, name = 'All'): Promise<string> {
  const { body } = await api('POST', '/applications', {
    name,
    oauth: { type: 'public', redirectUris: ['http://localhost/callback'] },
  });
  return body.application.id;
}

/** Servers below a URL that speak both eras, and one alone, attached as `both`, `old` and `new`. */
export async function attachOfEachEra(
  { server, api, integrate }: Fixture,
  applicationId: string,
  origin: string,
): Promise<void> {
  const attach = async (name: string, legacy: string | null, modern: string | null) => {
    const url = `${origin}/${name}`;
    const eras = { ...(legacy && { legacy }), ...(modern && { modern }) };
    const id = await integrate({ name, url }, eras);
    const spokenEras = { url, legacy, modern };
    await server.store.db.integration.update({ where: { id }, data: { spokenEras } });
    await api('POST', `/applications/${applicationId}/integrations/${id}`);
  };
  await attach('both', '2025-11-25', '2026-07-28');
  await attach('old', '2025-11-25', null);
  await attach('new', null, '2026-07-28');
}

/** Initializes if the era needs it. */
export async function openClient(
  url: string,
  token: string,
  era: Era,
  capabilities: object = {},
): Promise<AggregateClient> {
  const send = (options: SendOptions) => clientOf(token)(url, options);
  let headers: Record<string, string> = {};
  if (era === 'legacy') {
    const initialized = await send({ body: initializeBody('2025-11-25', capabilities) });
    const id = String(initialized.headers['mcp-session-id']);
    headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  }
  const ask: AggregateClient['ask'] = async (method, params = {}) => {
    const request =
      era === 'modern'
        ? modernRequest(method, params, capabilities)
        : { headers, body: { jsonrpc: '2.0', id: 5, method, params } };
    return repliedOf(await send(request));
  };
  return {
    headers,
    ask,
    send,
    call: (name, args = {}) => ask('tools/call', { name, arguments: args }),
    async listTools() {
      const { body } = await ask('tools/list');
      const integrations: { alias: string; state: string; count: number }[] =
        body.result._meta['gatehouse/integrations'];
      return {
        names: body.result.tools.map(({ name }: { name: string }) => name),
        states: Object.fromEntries(
          integrations.map(({ alias, state, count }) => [alias, `${state} ${count}`]),
        ),
      };
    },
  };
}

async function repliedOf({ status, text }: Answer): Promise<Replied> {
  const read = Buffer.from(await text(), 'latin1').toString();
  try {
    return { status, text: read, body: JSON.parse(read) };
  } catch {
    return { status, text: read, body: undefined };
  }
}
