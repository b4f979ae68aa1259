import {
  credentialFailures,
  type Failure,
  namingRedirectUri,
  type StageCode,
  serverFailures,
  type ValidationStage,
} from '@gatehouse/contract';
import { SERVER_TOKEN_REJECTED } from '../failures.ts';
import { UpstreamOauthError } from '../oauth/upstream-error.ts';
import type { CredentialOutcome, ReadyCredential, UnusableCredential } from '../outcome.ts';
import type { Finding } from './finding.ts';
import {
  CREDENTIAL_NAMES,
  cannotConnect,
  detailOf,
  nowhereToConnect,
  type ProbeVerdict,
  verdictOfFailure,
  verdictOfRefusal,
  whyNoCredential,
} from './messages.ts';
import type { ProbeTarget } from './probe-target.ts';
import type { StageOutcomes } from './stages/reaching.ts';
import { outcomesOf, type Probed, stagesOf, stagesOfUnusable } from './stages/stages.ts';

/** The result of validate. */
export interface ProbeResult extends ProbeVerdict {
  readonly stages: ValidationStage[];
}

/** Says how the credential of a credential-only integration is used. */
const HANDED_OUT =
  ' Its credential is handed out to applications; no calls go through the gateway.';

/** The outcome for a person who has not connected. */
export const NOT_CONNECTED: UnusableCredential = {
  kind: 'needs_user',
  reason: 'connection_required',
};

/** The result of a probe. */
export function resultOf(
  { url, category }: Pick<ProbeTarget, 'url' | 'category'>,
  found: Omit<Probed, 'url' | 'isInternal'>,
): ProbeResult {
  const probed = { ...found, url, isInternal: category === 'internal_mcp_credentials' };
  const outcomes = outcomesOf(probed);
  const verdict = verdictOf(outcomes, found);
  const use = probed.isInternal && verdict.status !== 'invalid' ? HANDED_OUT : '';
  const message = verdict.status === 'pending' ? whyNobodyConnects(found) : undefined;
  return {
    ...verdict,
    message: (message ?? verdict.message) + use,
    stages: stagesOf(probed, outcomes),
  };
}

/** The result of a probe without a credential: a server that was reached may be fine. */
export function resultWithoutPerson(
  target: ProbeTarget,
  found: Pick<Probed, 'finding' | 'clock'>,
): ProbeResult {
  const result = resultOf(target, {
    ...found,
    outcome: NOT_CONNECTED,
    authorization: undefined,
    credentialTook: 0,
  });
  const message = 'The server was reached again; validate to try a credential.';
  return isReached(found.finding) ? { ...result, status: 'pending', message } : result;
}

/** The result when a stored credential cannot be used, in which case no request is sent. */
export function resultOfUnusable(outcome: CredentialOutcome): ProbeResult | undefined {
  if (outcome.kind === 'ready') return undefined;
  const { outcome: status } = credentialFailures[outcome.reason];
  if (status !== 'invalid') return undefined;
  const message = `The integration was not tried: ${whyNoCredential(outcome)}.`;
  return { status, message, stages: stagesOfUnusable(outcome.reason) };
}

/** The first failed stage on the way to MCP decides, then the credential. */
export function verdictOf(
  outcomes: StageOutcomes,
  { outcome, finding }: Pick<Probed, 'outcome' | 'finding'>,
): ProbeVerdict {
  const { address, tls, http, mcp } = outcomes;
  const source = outcome.kind === 'ready' ? outcome.source : 'none';
  for (const stage of [address, tls, http, mcp]) {
    const failure = failureOf(stage?.code);
    if (failure === undefined) continue;
    const verdict = verdictOfFailure(failure, detailOf(finding, source));
    if (stage?.status === 'failed') return verdict;
    return { status: 'pending', message: `The integration was not tried. ${verdict.message}` };
  }
  if (finding.kind === 'unauthorized') return verdictOfUnauthorized(outcome, finding);
  const reached = `The server was reached${mcp?.status === 'passed' ? ' over MCP' : ''}`;
  if (outcome.kind !== 'ready') {
    return { status: 'pending', message: `${reached}, but ${whyNoCredential(outcome)}.` };
  }
  const accepted =
    source === 'none' ? 'asks for no credential' : `accepted ${CREDENTIAL_NAMES[source]}`;
  return { status: 'valid', message: `${reached} and ${accepted}.` };
}

function verdictOfUnauthorized(
  outcome: CredentialOutcome,
  { status, isChallenge }: Extract<Finding, { kind: 'unauthorized' }>,
): ProbeVerdict {
  if (outcome.kind === 'ready') {
    return verdictOfRefusal(refusalOf(outcome.source, status), outcome.source, status);
  }
  if (status === 401 && isChallenge) {
    const message = `The server was reached and asks for a credential, but ${whyNoCredential(outcome)}.`;
    return { status: 'pending', message };
  }
  return verdictOfFailure(serverFailures.challenge_missing, `${status}, with no credential`);
}

function refusalOf(source: ReadyCredential['source'], status: 401 | 403): Failure {
  if (source === 'none') return credentialFailures.credential_required;
  if (status === 403) return credentialFailures.permission_denied;
  return source === 'server_token' ? SERVER_TOKEN_REJECTED : credentialFailures.credential_rejected;
}

/** Undefined if the person only has to connect, or if there is no known obstacle. */
function whyNobodyConnects({
  outcome,
  finding,
  authorization,
}: Pick<Probed, 'outcome' | 'finding' | 'authorization'>): string | undefined {
  if (!isReached(finding) || outcome.kind !== 'needs_user' || authorization === undefined) {
    return undefined;
  }
  if (authorization.kind === 'missing') return cannotConnect(authorization.message);
  const { server, ways } = authorization;
  if (server.isAssumed && ways[0] !== 'static') {
    return nowhereToConnect(new UpstreamOauthError('metadata_not_found').message);
  }
  if (ways.length > 0) return undefined;
  const why = cannotConnect(new UpstreamOauthError('no_client').message);
  return namingRedirectUri(why, authorization.redirectUri);
}

function isReached({ kind }: Finding): boolean {
  return kind === 'mcp' || kind === 'unauthorized';
}

function failureOf(code: StageCode | undefined): Failure | undefined {
  const failures: Partial<Record<StageCode, Failure>> = serverFailures;
  return code && failures[code];
}
