import type { ValidationStage } from '@gatehouse/contract';
import type { ValidationStatus } from '../../generated/prisma/enums.ts';
import type { CredentialOutcome, ReadyCredential, UnusableCredential } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import type { Authorization } from './authorization.ts';
import type { Finding } from './finding.ts';
import {
  CREDENTIAL_NAMES,
  cannotConnectMessage,
  OLD_TRANSPORT,
  PRIVATE_ADDRESS,
  redirectMessage,
  rejectedMessage,
  unexpectedResponseMessage,
  unreachableMessage,
  WHY_NO_CREDENTIAL,
} from './messages.ts';
import type { ProbeTarget } from './probe-target.ts';
import { type Probed, stagesOf, stagesOfUnusable } from './stages/stages.ts';

/** What a probe comes to. The message is one sentence of at most 500 characters without any secret. */
export interface ProbeVerdict {
  readonly status: ValidationStatus;
  readonly message: string;
}

/** The result of validate. */
export interface ProbeResult extends ProbeVerdict {
  readonly stages: ValidationStage[];
}

/** Where none is needed, or none is to be sent. */
export const NO_CREDENTIAL: ReadyCredential = {
  kind: 'ready',
  headers: [],
  source: 'none',
  connectionId: undefined,
};

const NOT_CONNECTED: UnusableCredential = { kind: 'needs_user', reason: 'connection_required' };

/** The result of a probe. */
export function resultOf(
  target: ProbeTarget,
  found: Omit<Probed, 'url' | 'isInternal'>,
): ProbeResult {
  const isInternal = target.category === 'internal_mcp_credentials';
  const { outcome, finding, authorization } = found;
  const verdict = verdictOfFinding(target, outcome, finding);
  const message =
    verdict.status === 'pending' ? whyNobodyConnects(outcome, finding, authorization) : undefined;
  return {
    ...verdict,
    ...(message === undefined ? {} : { message }),
    stages: stagesOf({ ...found, url: target.url, isInternal }),
  };
}

/** The result of a probe that tried nobody's credential: a server that was reached may well be in order. */
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
  const isReached = found.finding.kind === 'mcp' || found.finding.kind === 'unauthorized';
  return isReached
    ? {
        ...result,
        status: 'pending',
        message: 'The server was reached again; validate to try a credential.',
      }
    : result;
}

/** Validate's verdict from a finding and the outcome of resolving the credential. */
export function verdictOfFinding(
  target: Pick<CredentialTarget, 'category'>,
  outcome: CredentialOutcome,
  finding: Finding,
): ProbeVerdict {
  const isInternal = target.category === 'internal_mcp_credentials';
  switch (finding.kind) {
    case 'unreachable':
      if (isInternal && finding.error.reason === 'address_not_allowed') {
        return { status: 'pending', message: PRIVATE_ADDRESS };
      }
      return invalid(unreachableMessage(finding.error));
    case 'unauthorized':
      return unauthorizedResult(outcome, finding);
    case 'mcp':
      return reachedResult('The server was reached over MCP', outcome);
    case 'redirect':
      return invalid(redirectMessage(finding));
    case 'old_transport':
      return isInternal ? reachedResult('The server was reached', outcome) : invalid(OLD_TRANSPORT);
    case 'other': {
      // A credential-only entry need not be an MCP endpoint: accepting the credential is enough.
      const isAccepted = isInternal && finding.status < 300 && finding.errorCode === undefined;
      if (isAccepted) return reachedResult('The server was reached', outcome);
      const credential = CREDENTIAL_NAMES[outcome.kind === 'ready' ? outcome.source : 'none'];
      return invalid(unexpectedResponseMessage(finding.status, finding.errorCode, credential));
    }
  }
}

const NOT_TRIED: ReadonlySet<UnusableCredential['reason']> = new Set([
  'expired',
  'key_not_loaded',
  'decryption_failed',
]);

/** The result when a stored credential cannot be used, in which case no request is sent. */
export function resultOfUnusable(outcome: CredentialOutcome): ProbeResult | undefined {
  if (outcome.kind === 'ready') return undefined;
  const { reason } = outcome;
  if (!NOT_TRIED.has(reason)) return undefined;
  const verdict = invalid(`The integration was not tried: ${WHY_NO_CREDENTIAL[reason]}.`);
  return { ...verdict, stages: stagesOfUnusable(reason) };
}

function reachedResult(reached: string, outcome: CredentialOutcome): ProbeVerdict {
  if (outcome.kind !== 'ready') {
    return { status: 'pending', message: `${reached}, but ${WHY_NO_CREDENTIAL[outcome.reason]}.` };
  }
  const accepted =
    outcome.source === 'none'
      ? 'asks for no credential'
      : `accepted ${CREDENTIAL_NAMES[outcome.source]}`;
  return { status: 'valid', message: `${reached} and ${accepted}.` };
}

/** Undefined where the person has only to connect, or nothing is known to stand in the way. */
function whyNobodyConnects(
  outcome: CredentialOutcome,
  { kind }: Finding,
  authorization: Authorization | undefined,
): string | undefined {
  const isReached = kind === 'mcp' || kind === 'unauthorized';
  if (!isReached || outcome.kind !== 'needs_user') return undefined;
  return authorization && cannotConnectMessage(authorization);
}

function unauthorizedResult(
  outcome: CredentialOutcome,
  { status, isChallenge }: Extract<Finding, { kind: 'unauthorized' }>,
): ProbeVerdict {
  if (outcome.kind === 'ready') return invalid(rejectedMessage(outcome.source, status));
  const why = WHY_NO_CREDENTIAL[outcome.reason];
  if (status === 401 && isChallenge) {
    const message = `The server was reached and asks for a credential, but ${why}.`;
    return { status: 'pending', message };
  }
  return invalid(
    `The server responded with status ${status} but without the challenge of an MCP server, and there is no credential to try: ${why}.`,
  );
}

function invalid(message: string): ProbeVerdict {
  return { status: 'invalid', message };
}
