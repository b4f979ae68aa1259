import type { ValidationStatus } from '../../generated/prisma/enums.ts';
import type { CredentialOutcome, CredentialTarget } from '../outcome.ts';
import type { Finding } from './finding.ts';
import { otherSentence, TO_DO, TRIED, unreachedSentence } from './sentences.ts';

/** The answer of validate: one sentence of at most 500 characters, free of anything secret. */
export interface ProbeResult {
  readonly status: ValidationStatus;
  readonly message: string;
}

/** Turns what was found, and with which credential, into validate's answer. */
export function judge(
  target: Pick<CredentialTarget, 'category'>,
  outcome: CredentialOutcome,
  finding: Finding,
): ProbeResult {
  const isInternal = target.category === 'internal_mcp_credentials';
  switch (finding.kind) {
    case 'unreached':
      if (isInternal && finding.error.reason === 'address_not_allowed') return NOT_TRIED;
      return invalid(unreachedSentence(finding.error));
    case 'unauthorized':
      return judgeRefusal(outcome, finding);
    case 'mcp':
      return judgeReached('The server was reached over MCP', outcome);
    case 'other': {
      // A credential-only entry need not be an MCP endpoint: accepting the credential is enough.
      const isAccepted = isInternal && finding.status < 300 && finding.errorCode === undefined;
      if (isAccepted) return judgeReached('The server was reached', outcome);
      return invalid(otherSentence(finding.status, finding.errorCode, triedIn(outcome)));
    }
  }
}

/** A credential that is there but cannot be used: nothing is sent, whatever the server would say. */
export function judgeUnusable(outcome: CredentialOutcome): ProbeResult | undefined {
  if (outcome.kind === 'ready') return undefined;
  if (outcome.reason !== 'expired' && outcome.reason !== 'decryption_failed') return undefined;
  return invalid(`The integration was not tried: ${TO_DO[outcome.reason]}.`);
}

const NOT_TRIED: ProbeResult = {
  status: 'pending',
  message:
    'The address of the URL is private, so it was not tried from here; allow its network in GATEHOUSE_ALLOWED_NETWORKS to have it tried.',
};

function judgeReached(reached: string, outcome: CredentialOutcome): ProbeResult {
  if (outcome.kind !== 'ready') {
    return { status: 'pending', message: `${reached}, but ${TO_DO[outcome.reason]}.` };
  }
  const accepted =
    outcome.source === 'none' ? 'asks for no credential' : `accepted ${TRIED[outcome.source]}`;
  return { status: 'valid', message: `${reached} and ${accepted}.` };
}

function judgeRefusal(
  outcome: CredentialOutcome,
  { status, isChallenge }: Extract<Finding, { kind: 'unauthorized' }>,
): ProbeResult {
  if (outcome.kind === 'ready') return invalid(refusedSentence(outcome.source, status));
  if (status === 401 && isChallenge) {
    const message = `The server was reached and asks for a credential, but ${TO_DO[outcome.reason]}.`;
    return { status: 'pending', message };
  }
  return invalid(
    `The server answered ${status} without the challenge of an MCP server, and there is no credential to try: ${TO_DO[outcome.reason]}.`,
  );
}

function refusedSentence(source: keyof typeof TRIED, status: number): string {
  if (source === 'none') {
    return `The server asks for a credential (${status}), but the authMode of the integration is none; set another authMode.`;
  }
  const remedy = source === 'server_token' ? 'set another serverToken' : 'connect again';
  const refused = `The server refused ${TRIED[source]} (${status})`;
  return status === 403
    ? `${refused}; check what it permits, or ${remedy}.`
    : `${refused}; ${remedy} with a credential it accepts.`;
}

function triedIn(outcome: CredentialOutcome): string {
  return outcome.kind === 'ready' ? TRIED[outcome.source] : TRIED.none;
}

function invalid(message: string): ProbeResult {
  return { status: 'invalid', message };
}
