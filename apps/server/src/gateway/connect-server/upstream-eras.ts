import type { EraNotes } from '../../credentials/probe/era-notes.ts';
import type { Egress } from '../../egress/egress.ts';
import { createMcpClient } from '../../mcp/client/client.ts';
import { findEras } from '../../mcp/client/find-eras.ts';
import { areErasKnown, type SpokenEras } from '../../mcp/spoken-eras.ts';
import type { Changes } from '../../platform/changes/changes.ts';
import { createCache, type Loaded } from '../../platform/changes/create-cache.ts';
import type { GatewayLimits } from '../limits.ts';
import type { Route } from '../routes.ts';

type AskedRoute = Pick<Route, 'organizationId' | 'integrationId' | 'target' | 'spokenEras'>;

/** Which eras the connect server may offer in front of an upstream. */
export interface UpstreamEras {
  /** What is known; of an upstream that nothing is known of, what it says without a credential. Never rejects. */
  spokenBy(route: AskedRoute): SpokenEras | Promise<SpokenEras>;
  close(): void;
}

export interface UpstreamErasOptions {
  readonly changes: Changes;
  readonly egress: Pick<Egress, 'request'>;
  readonly eraNotes: Pick<EraNotes, 'note'>;
  readonly limits: Pick<GatewayLimits, 'eraProbe'>;
}

/** Upstreams that are remembered, whatever they said. */
const MAX_CACHED = 10_000;

/** Milliseconds until an upstream is asked again that has left something open. */
const ASK_AGAIN_AFTER = 5 * 60_000;

/** Upstreams asked at the same time. A call beyond them does not wait: it gets what is known. */
const MAX_ASKING = 16;

/** Only callers without a credential wait for an answer; those of one upstream share it. */
export function createUpstreamEras(options: UpstreamErasOptions): UpstreamEras {
  const cache = createCache<SpokenEras>({ changes: options.changes, maxEntries: MAX_CACHED });
  let asking = 0;

  const ask = async (route: AskedRoute): Promise<Loaded<SpokenEras>> => {
    asking += 1;
    try {
      const value = await askWithoutCredential(route, options);
      options.eraNotes.note({ ...route.target, spokenEras: route.spokenEras }, value);
      const dependsOn = [{ kind: 'integration', id: route.integrationId }] as const;
      return { value, dependsOn, expiresAt: Date.now() + ASK_AGAIN_AFTER };
    } finally {
      asking -= 1;
    }
  };

  return {
    spokenBy(route) {
      const { spokenEras, integrationId, target } = route;
      if (areErasKnown(spokenEras)) return spokenEras;
      const key = `${integrationId} ${target.url}`;
      const said = cache.peek(key);
      if (said !== undefined) return { ...said, ...spokenEras };
      if (asking >= MAX_ASKING) return spokenEras;
      return cache.get(key, () => ask(route)).then((found) => ({ ...found, ...spokenEras }));
    },
    close: () => cache.close(),
  };
}

function askWithoutCredential(
  { organizationId, integrationId, target }: AskedRoute,
  { egress, limits }: UpstreamErasOptions,
): Promise<SpokenEras> {
  const sender = { organizationId, userId: integrationId, credential: [] };
  const client = createMcpClient(egress, target.url, sender, () => undefined);
  return findEras(client, AbortSignal.timeout(limits.eraProbe));
}
