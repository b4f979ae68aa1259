import { setTimeout as delay } from 'node:timers/promises';
import { connectMcpClient, type McpEra } from '@gatehouse/harness';
import type { CallLimitsInput } from '@gatehouse/sdk';
import type { Upstream } from '@gatehouse/testing';

/** What a limit is used up of. */
interface Limited {
  readonly gatewayUrl: string;
  readonly era: McpEra;
  /** Of a person who has connected. */
  readonly token: string;
  readonly upstream: Pick<Upstream, 'calls'>;
  readonly setLimits: (limits: CallLimitsInput) => Promise<unknown>;
}

/** Answers after some milliseconds: longer than any client waits. */
const TOOL = 'slow';
const LONG = 600_000;

/**
 * Allows one request in progress, and keeps it in progress. @returns what ends both
 *
 * @throws Error if another request is not refused as `docs/run/policy.md` says
 */
export async function useUpLimit(limited: Limited): Promise<() => Promise<void>> {
  const { gatewayUrl: url, era, token, upstream, setLimits } = limited;
  const holder = await connectMcpClient({ url, era, bearer: token });
  await setLimits({ concurrent: 1 });
  let isFree = false;
  const hold = async (): Promise<void> => {
    // It is refused while a request of another client is in progress.
    while (!isFree) await holder.callTool(TOOL, { milliseconds: LONG }).catch(() => delay(100));
  };
  const count = () => upstream.calls.filter(({ tool }) => tool === TOOL).length;
  const before = count();
  const held = hold();
  while (count() === before) await delay(20);
  await mustBeRefused(url, token);
  return async () => {
    isFree = true;
    await setLimits({});
    await holder.close();
    await held;
  };
}

async function mustBeRefused(url: string, token: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  const text = await response.text();
  const isRefused = response.status === 200 && text.includes('"code":-31004');
  if (isRefused && response.headers.get('retry-after') === '1') return;
  throw new Error(`The limit refused nothing: ${response.status} ${text}`);
}
