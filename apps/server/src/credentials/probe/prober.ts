import type { DiscoverIntegrationResponse } from '@gatehouse/contract';
import type { Egress } from '../../egress/egress.ts';
import type { Sender } from '../../egress/sender.ts';
import type { Asker, UpstreamEras } from '../../eras/upstream-eras.ts';
import { createMcpClient } from '../../mcp/client/client.ts';
import type { Lists } from '../../mcp/client/lists.ts';
import { isModernSpoken, type SpokenEras } from '../../mcp/spoken-eras.ts';
import type { Credentials } from '../credentials.ts';
import type { CredentialOutcome } from '../outcome.ts';
import { isPersonalMode } from '../target.ts';
import { findAuthorization } from './authorization.ts';
import { discoveryOf, upstreamToDiscover } from './discovery.ts';
import type { Finding } from './finding.ts';
import { createProbeClock, inTime, type ProbeClock } from './probe-clock.ts';
import { type ProbeTimeouts, probeEndpoint, type Wanted } from './probe-endpoint.ts';
import {
  type ProbeResult,
  resultOf,
  resultOfUnusable,
  resultWithoutPerson,
} from './probe-result.ts';
import type { ProbeTarget } from './probe-target.ts';

/** Tests whether integrations can be reached and accept their credential. */
export interface Prober {
  /**
   * Never rejects because of the upstream, takes at most 10 s, and deletes nothing except the protocol
   * session that it opened.
   *
   * @param userId the owner of the connection to try for `user_token` and `oauth`.
   */
  probe(target: ProbeTarget, userId: string): Promise<ProbeResult>;
  /**
   * Like `probe`, but without a credential in the modes `user_token` and `oauth`. There `pending` means
   * that the server was reached and may be fine.
   */
  probeForNobody(target: ProbeTarget): Promise<ProbeResult>;
  /** Probes a URL without a credential. Like `probe`, it takes at most 10 s and never rejects because of the upstream. */
  discover(
    url: string,
    caller: { readonly organizationId: string; readonly userId: string },
  ): Promise<DiscoverIntegrationResponse>;
}

/** Options of {@link createProber}. */
export interface ProberOptions {
  readonly credentials: Credentials;
  readonly egress: Egress;
  /** Our origin. */
  readonly publicUrl: string;
  readonly timeouts?: ProbeTimeouts;
  readonly eras: Pick<UpstreamEras, 'ask' | 'write'>;
  /** Stores what the server of an integration has listed. */
  readonly noteLists: (target: ProbeTarget, lists: Lists) => Promise<void>;
}

/** The result of probing an endpoint once. */
interface Probing {
  readonly finding: Finding;
  readonly clock: ProbeClock;
}

/** The result of one or two probes, with the credential that was sent last. */
interface CredentialTrial extends Probing {
  readonly outcome: CredentialOutcome;
  /** Milliseconds. */
  readonly renewalTook: number;
}

/** 10 s in total. */
const TIMEOUTS: ProbeTimeouts = {
  credential: 4000,
  discover: 4000,
  oldTransport: 2000,
  probe: 9000,
  endSession: 1000,
};

const NOT_RESOLVED: CredentialOutcome = { kind: 'unavailable', reason: 'refresh_failed' };

/**
 * Probes with the same credentials and the same egress as calls through the gateway, over separate
 * connections.
 */
export function createProber(options: ProberOptions): Prober {
  const { credentials, egress, timeouts = TIMEOUTS, eras, noteLists } = options;

  const probeOnce = async (
    url: string,
    sender: Sender,
    deadline: AbortSignal,
    wanted: Wanted = NOTHING_MORE,
  ): Promise<Probing> => {
    const clock = createProbeClock();
    const connections = egress.openOwn(clock.note);
    try {
      const client = createMcpClient(connections, url, sender, () => clock.note('responded'));
      const finding = await probeEndpoint(client, timeouts, deadline, clock, wanted);
      clock.note('done');
      return { finding, clock };
    } finally {
      await connections.close();
    }
  };

  /** Tries the credential, and another one where the first was rejected and can be renewed. */
  const tryCredential = async (
    target: ProbeTarget,
    userId: string,
    resolved: CredentialOutcome,
    deadline: AbortSignal,
  ): Promise<CredentialTrial> => {
    const { organizationId, url } = target;
    const wanted = wantedOf(target);
    const probeWith = (outcome: CredentialOutcome) => {
      const credential = outcome.kind === 'ready' ? outcome.headers : [];
      return probeOnce(url, { organizationId, userId, credential }, deadline, wanted);
    };
    const first = { ...(await probeWith(resolved)), outcome: resolved, renewalTook: 0 };
    if (resolved.kind !== 'ready' || !isRejected(first.finding)) return first;
    const renewing = createProbeClock();
    const renewed = await inTime(credentials.renew(target, userId, resolved), deadline);
    const renewalTook = renewing.since([]);
    if (renewed === undefined) return { ...first, renewalTook };
    const second = renewed.kind === 'ready' ? await probeWith(renewed) : first;
    return { ...second, outcome: renewed, renewalTook };
  };

  /** The eras of the server: as it was greeted, and the legacy one of a server that speaks the modern one. */
  const erasOf = async (
    target: ProbeTarget,
    spoken: SpokenEras,
    asker: Asker | undefined,
    deadline: AbortSignal,
  ): Promise<SpokenEras> => {
    // Only where people connect does the gateway answer in the place of the server, and must know its eras.
    if (!isPersonalMode(target.authMode) || !isModernSpoken(spoken)) return spoken;
    const upstream = { ...target, target };
    return { ...(await inTime(eras.ask(upstream, asker), deadline)), ...spoken };
  };

  /** Written before validate responds, so that the next request on any node finds it. */
  const note = async (
    target: ProbeTarget,
    finding: Finding,
    asker: Asker | undefined,
    deadline: AbortSignal,
  ): Promise<void> => {
    if ('spoken' in finding && finding.spoken !== undefined) {
      await eras.write(target, await erasOf(target, finding.spoken, asker, deadline));
    }
    if ('lists' in finding && finding.lists !== undefined) await noteLists(target, finding.lists);
  };

  const probe: Prober['probe'] = async (target, userId) => {
    const deadline = AbortSignal.timeout(timeouts.probe);
    const soon = AbortSignal.any([deadline, AbortSignal.timeout(timeouts.credential)]);
    const resolving = createProbeClock();
    const resolved = (await inTime(credentials.resolve(target, userId), soon)) ?? NOT_RESOLVED;
    const resolvingTook = resolving.since([]);
    const unusable = resultOfUnusable(resolved);
    if (unusable !== undefined) return unusable;
    const [trial, authorization] = await Promise.all([
      tryCredential(target, userId, resolved, deadline),
      target.upstream && findAuthorization(options, target.upstream, userId, deadline),
    ]);
    const { outcome } = trial;
    const asker = outcome.kind === 'ready' ? { userId, credential: outcome } : undefined;
    await note(target, trial.finding, asker, deadline);
    await report(credentials, trial.outcome, trial.finding);
    const credentialTook = resolvingTook + trial.renewalTook;
    return resultOf(target, { ...trial, authorization, credentialTook });
  };

  return {
    probe,
    async probeForNobody(target) {
      const { organizationId, integrationId, url, authMode } = target;
      if (!isPersonalMode(authMode)) return await probe(target, integrationId);
      const sender = { organizationId, userId: integrationId, credential: [] };
      const deadline = AbortSignal.timeout(timeouts.probe);
      const probed = await probeOnce(url, sender, deadline, wantedOf(target));
      await note(target, probed.finding, undefined, deadline);
      return resultWithoutPerson(target, probed);
    },

    async discover(url, { organizationId, userId }) {
      const deadline = AbortSignal.timeout(timeouts.probe);
      const upstream = upstreamToDiscover(url, organizationId);
      const [probed, authorization] = await Promise.all([
        probeOnce(url, { organizationId, userId, credential: [] }, deadline),
        findAuthorization(options, upstream, userId, deadline),
      ]);
      return discoveryOf(url, { ...probed, authorization });
    },
  };
}

const NOTHING_MORE: Wanted = { lists: false };

/** Rules about names count only where the gateway calls the server. */
function wantedOf({ category }: ProbeTarget): Wanted {
  return { lists: category === 'gateway_remote_mcp' };
}

function isRejected(finding: Finding): boolean {
  return finding.kind === 'unauthorized' && finding.status === 401;
}

/** Written before validate responds, because its caller is likely to read the connection next. */
async function report(
  credentials: Credentials,
  outcome: CredentialOutcome,
  finding: Finding,
): Promise<void> {
  if (outcome.kind !== 'ready' || outcome.connectionId === undefined) return;
  if (finding.kind === 'mcp') credentials.reportAccepted(outcome.connectionId);
  if (isRejected(finding)) credentials.reportRejected(outcome.connectionId);
  await credentials.flush();
}
