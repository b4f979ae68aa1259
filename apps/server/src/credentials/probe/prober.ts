import type { Egress } from '../../egress/egress.ts';
import type { CredentialOutcome, Credentials, CredentialTarget } from '../outcome.ts';
import { explore, type ProbeTimes } from './explore.ts';
import type { Finding } from './finding.ts';
import { judge, judgeUnusable, type ProbeResult } from './judge.ts';
import { createRpcClient } from './rpc-client.ts';

/** Tests whether integrations can be reached and whether they accept their credential. */
export interface Prober {
  /**
   * Never fails for what the upstream does, ends within 10 s, and deletes nothing but the protocol
   * session it opened.
   *
   * @param userId whose connection is tried for `user_token` and `oauth`.
   */
  probe(target: CredentialTarget, userId: string): Promise<ProbeResult>;
}

/** What a prober works with. */
export interface ProberOptions {
  readonly credentials: Credentials;
  readonly egress: Egress;
  readonly times?: ProbeTimes;
}

/** 10 s in all. */
const TIMES: ProbeTimes = { discover: 4000, explore: 9000, farewell: 1000 };

/** Probes over the same credentials and the same way out as live traffic. */
export function createProber({ credentials, egress, times = TIMES }: ProberOptions): Prober {
  return {
    async probe(target, userId) {
      const outcome = await credentials.resolve(target, userId);
      const unusable = judgeUnusable(outcome);
      if (unusable !== undefined) return unusable;
      const headers = outcome.kind === 'ready' ? outcome.headers : [];
      const finding = await explore(createRpcClient(egress, target.url, headers), times);
      await report(credentials, outcome, finding);
      return judge(target, outcome, finding);
    },
  };
}

/** Unlike a call's, written before the answer: who validates looks at the connection next. */
async function report(
  credentials: Credentials,
  outcome: CredentialOutcome,
  finding: Finding,
): Promise<void> {
  if (outcome.kind !== 'ready' || outcome.connectionId === undefined) return;
  if (finding.kind === 'mcp') credentials.reportAccepted(outcome.connectionId);
  if (finding.kind === 'unauthorized' && finding.status === 401) {
    credentials.reportRefused(outcome.connectionId);
  }
  await credentials.flush();
}
