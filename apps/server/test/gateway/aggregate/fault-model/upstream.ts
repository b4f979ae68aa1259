import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '@gatehouse/testing';
import type { Era } from '../../../../src/mcp/era.ts';
import { type ScriptedServer, startScriptedServer, toolOf } from '../scripted-server.ts';

/** What an upstream does with everything that it receives. */
export const FAULTS = [
  'healthy',
  'hangs',
  'refuses',
  'status',
  'cut',
  'invalid',
  'slow pages',
] as const;
export type Fault = (typeof FAULTS)[number];

/** An upstream with the faults of the model. */
export interface FaultyUpstream {
  readonly alias: string;
  readonly server: ScriptedServer;
  fault: Fault;
  era: Era | undefined;
  /** When it hung last, by the clock of `performance`. */
  hungAt: number;
  /** How often its list has changed. */
  version: number;
  /** Ends all of its sessions. */
  forget(): void;
}

const JSON_HEAD = { 'Content-Type': 'application/json' };
const PAGES = 4;
const PAGE_TIME = 1_200;

export const toolsOf = ({ alias, version }: Pick<FaultyUpstream, 'alias' | 'version'>) =>
  ['echo', `v${version}`].map((name) => `${alias}__${name}`);

export async function startFaultyUpstream(alias: string): Promise<FaultyUpstream> {
  const server = await startScriptedServer(alias);
  const sessions = new Set<string>();
  const upstream: FaultyUpstream = {
    ...{
      alias,
      server,
      fault: 'healthy',
      era: undefined,
      version: 0,
      hungAt: Number.NEGATIVE_INFINITY,
    },
    forget: () => sessions.clear(),
  };
  server.on('initialize', ({ respondResult }) => {
    const id = `${alias}-${Math.random()}`;
    sessions.add(id);
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
    respondResult(result, { 'Mcp-Session-Id': id });
  });
  server.on('tools/list', async (exchange) => {
    if (isForgotten(exchange, sessions)) return exchange.respond({ status: 404, body: 'No.' });
    const page = Number(JSON.parse(exchange.request.body.toString()).params?.cursor ?? 1);
    const isSlow = upstream.fault === 'slow pages';
    if (isSlow) await sleep(PAGE_TIME);
    const tools = page === 1 ? ['echo', `v${upstream.version}`].map(toolOf) : [];
    const nextCursor = isSlow && page < PAGES ? { nextCursor: `${page + 1}` } : {};
    exchange.respondResult({ tools, ...nextCursor });
  });
  server.on('tools/call', (exchange) => {
    if (isForgotten(exchange, sessions)) return exchange.respond({ status: 404, body: 'No.' });
    exchange.respondResult({ content: [{ type: 'text', text: alias }] });
  });
  return upstream;
}

function isForgotten({ request }: Exchange, sessions: ReadonlySet<string>): boolean {
  const id = request.headers['mcp-session-id'];
  return id !== undefined && !sessions.has(String(id));
}

/** Milliseconds in which a session that was begun while it hung may be waited for. */
const BEGINNING = 31_000;

/** Whether legacy clients may still wait for a session with it. */
export const mayStillHang = ({ hungAt }: FaultyUpstream, era: string): boolean =>
  era === 'legacy' && performance.now() - hungAt < BEGINNING;

/** Does the fault from now on. */
export function begin(upstream: FaultyUpstream, fault: Fault, era: Era | undefined): void {
  if (upstream.fault === 'hangs') upstream.hungAt = performance.now();
  upstream.fault = fault;
  upstream.era = era;
  upstream.server.speakOnly(era);
  upstream.server.onAll(HANDLERS[fault]);
}

const HANDLERS: Readonly<Record<Fault, ((exchange: Exchange) => void) | undefined>> = {
  healthy: undefined,
  'slow pages': undefined,
  hangs: () => {},
  refuses: ({ drop }) => drop(),
  status: ({ respond }) => respond({ status: 500, body: 'down' }),
  invalid: ({ respond }) => respond({ headers: JSON_HEAD, body: '{"jsonrpc":"2.0","id":' }),
  cut: ({ sendHead, send, drop }) => {
    sendHead(200, { ...JSON_HEAD, 'Content-Length': '1000' });
    void send('{"jsonrpc":"2.0",');
    setTimeout(drop, 10);
  },
};
