import {
  type StageCode,
  type ValidationStage,
  type ValidationStageName,
  validationStageNameSchema,
} from '@gatehouse/contract';
import type { EgressError, EgressErrorKind, EgressErrorReason } from '../../egress/errors.ts';
import type { CredentialOutcome } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import type { Finding } from './finding.ts';

type Outcome = Pick<ValidationStage, 'status' | 'code'>;
type Outcomes = Partial<Record<ValidationStageName, Outcome>>;

const PASSED: Outcome = { status: 'passed' };
const NOT_NEEDED: Outcome = { status: 'skipped', code: 'not_needed' };
const NOT_REACHED: Outcome = { status: 'skipped', code: 'not_reached' };

/** What a request passes on its way to an answer, in that order. */
const WAY = ['address', 'tls', 'http', 'mcp'] as const;
const AFTER = { challenge: NOT_REACHED, credential: NOT_REACHED, tools: NOT_REACHED };

const AT_ADDRESS: ReadonlySet<EgressErrorReason> = new Set([
  'address_not_allowed',
  'plain_http_with_credentials',
  'name_not_found',
  'name_server_failed',
  'name_server_silent',
  'too_many_lookups',
]);

const BY_KIND: Readonly<Record<EgressErrorKind, StageCode>> = {
  denied: 'address_not_allowed',
  unreachable: 'unreachable',
  timeout: 'timed_out',
  tls: 'handshake',
  protocol: 'response_invalid',
};

/** The stages of a validation, as far as its finding tells them apart. How long each took is not known. */
export function stagesOf(
  { url }: Pick<CredentialTarget, 'url'>,
  outcome: CredentialOutcome,
  finding: Finding,
): ValidationStage[] {
  const outcomes = outcomesOf(outcome, finding);
  const isPlain = new URL(url).protocol === 'http:';
  const isTlsKept = !isPlain || outcomes.tls?.status === 'failed';
  return listOf(isTlsKept ? outcomes : { ...outcomes, tls: NOT_NEEDED });
}

/** The stages of a validation that sent nothing. @param code why the credential cannot be used */
export function stagesOfUnusable(code: StageCode): ValidationStage[] {
  return listOf({ ...until('address', NOT_REACHED), credential: { status: 'failed', code } });
}

function outcomesOf(outcome: CredentialOutcome, finding: Finding): Outcomes {
  switch (finding.kind) {
    case 'unreachable':
      return until(stageOfError(finding.error), failed(codeOfError(finding.error)));
    case 'redirect':
      return until('http', failed('redirected'));
    case 'old_transport':
      return until('mcp', failed('old_transport'));
    case 'other':
      return until('mcp', failed(codeOfStatus(finding.status)));
    case 'mcp':
      return { ...until('mcp', PASSED), ...credentialOf(outcome), tools: PASSED };
    case 'unauthorized':
      return { ...until('mcp', NOT_REACHED), ...refusedOf(outcome, finding) };
  }
}

/** The stages before one, which have passed, that one, and those after it. */
function until(stage: (typeof WAY)[number], outcome: Outcome): Outcomes {
  const at = WAY.indexOf(stage);
  const way = WAY.map((name, index): [string, Outcome] => {
    if (index === at) return [name, outcome];
    return [name, index < at ? PASSED : NOT_REACHED];
  });
  return { ...Object.fromEntries(way), ...AFTER };
}

function credentialOf(outcome: CredentialOutcome): Outcomes {
  if (outcome.kind !== 'ready') {
    return {
      challenge: NOT_NEEDED,
      credential: { status: 'skipped', code: outcome.reason },
    };
  }
  const credential = outcome.source === 'none' ? NOT_NEEDED : PASSED;
  return { challenge: NOT_NEEDED, credential };
}

function refusedOf(
  outcome: CredentialOutcome,
  { status, isChallenge }: Extract<Finding, { kind: 'unauthorized' }>,
): Outcomes {
  const challenge = isChallenge ? PASSED : failed('challenge_missing');
  if (outcome.kind !== 'ready') {
    return { challenge, credential: { status: 'skipped', code: outcome.reason } };
  }
  if (outcome.source === 'none') return { challenge, credential: failed('credential_required') };
  const code = status === 403 ? 'permission_denied' : 'credential_rejected';
  return { challenge, credential: failed(code) };
}

function stageOfError({ kind, reason }: EgressError): (typeof WAY)[number] {
  if (AT_ADDRESS.has(reason)) return 'address';
  return kind === 'tls' ? 'tls' : 'http';
}

function codeOfError({ kind, reason }: EgressError): StageCode {
  return reason === 'other' ? BY_KIND[kind] : reason;
}

function codeOfStatus(status: number): StageCode {
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : 'not_mcp';
}

function failed(code: StageCode): Outcome {
  return { status: 'failed', code };
}

function listOf(outcomes: Outcomes): ValidationStage[] {
  return validationStageNameSchema.options.map((stage) => ({
    stage,
    ...(outcomes[stage] ?? NOT_NEEDED),
    milliseconds: 0,
  }));
}
