import type { DiscoverIntegrationResponse } from '@gatehouse/contract';
import type { Egress } from '../../egress/egress.ts';
import type { Credentials } from '../credentials.ts';
import type { CredentialOutcome } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import { discoveryOf } from './discovery.ts';
import type { Finding } from './finding.ts';
import { type ProbeTimeouts, probeEndpoint } from './probe-endpoint.ts';
import { type ProbeResult, resultOfFinding, resultOfUnusable } from './probe-result.ts';
import { createRpcClient } from './rpc-client.ts';
import { stagesOf } from './stages.ts';

/** Tests whether integrations can be reached and accept their credential. */
export interface Prober {
  /**
   * Never rejects because of the upstream, takes at most 10 s, and deletes nothing except the
   * protocol session that it opened.
   *
   * @param userId whose connection to try for `user_token` and `oauth`.
   */
  probe(target: CredentialTarget, userId: string): Promise<ProbeResult>;
  /** Looks at a URL without a credential. Like `probe`, it takes at most 10 s and never rejects because of the upstream. */
  discover(
    url: string,
    caller: { readonly organizationId: string; readonly userId: string },
  ): Promise<DiscoverIntegrationResponse>;
}

/** Options of {@link createProber}. */
export interface ProberOptions {
  readonly credentials: Credentials;
  readonly egress: Egress;
  readonly timeouts?: ProbeTimeouts;
}

/** 10 s in all, whatever takes the time. */
const TIMEOUTS: ProbeTimeouts = {
  discover: 4000,
  oldTransport: 2000,
  probe: 9000,
  endSession: 1000,
};

/** Probes with the same credentials and the same egress as calls through the gateway. */
export function createProber({ credentials, egress, timeouts = TIMEOUTS }: ProberOptions): Prober {
  return {
    async probe(target, userId) {
      const deadline = AbortSignal.timeout(timeouts.probe);
      const outcome = await credentials.resolve(target, userId);
      const unusable = resultOfUnusable(outcome);
      if (unusable !== undefined) return unusable;
      const credential = outcome.kind === 'ready' ? outcome.headers : [];
      const sender = { organizationId: target.organizationId, userId, credential };
      const client = createRpcClient(egress, target.url, sender);
      const finding = await probeEndpoint(client, timeouts, deadline);
      await report(credentials, outcome, finding);
      return {
        ...resultOfFinding(target, outcome, finding),
        stages: stagesOf(target, outcome, finding),
      };
    },
    async discover(url, { organizationId, userId }) {
      const client = createRpcClient(egress, url, { organizationId, userId, credential: [] });
      const deadline = AbortSignal.timeout(timeouts.probe);
      return discoveryOf(url, await probeEndpoint(client, timeouts, deadline));
    },
  };
}

/** Written before validate responds, because its caller is likely to read the connection next. */
async function report(
  credentials: Credentials,
  outcome: CredentialOutcome,
  finding: Finding,
): Promise<void> {
  if (outcome.kind !== 'ready' || outcome.connectionId === undefined) return;
  if (finding.kind === 'mcp') credentials.reportAccepted(outcome.connectionId);
  if (finding.kind === 'unauthorized' && finding.status === 401) {
    credentials.reportRejected(outcome.connectionId);
  }
  await credentials.flush();
}
