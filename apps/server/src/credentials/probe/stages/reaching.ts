import type { StageCode, ValidationStage, ValidationStageName } from '@gatehouse/contract';
import type { EgressError, EgressErrorKind, EgressErrorReason } from '../../../egress/errors.ts';
import type { Finding } from '../finding.ts';
import type { ProbeClock } from '../probe-clock.ts';

/** The outcome of a stage. */
export type StageOutcome = Pick<ValidationStage, 'status' | 'code'>;

/** Stages that are left out were not needed. */
export type StageOutcomes = Partial<Record<ValidationStageName, StageOutcome>>;

export const PASSED: StageOutcome = { status: 'passed' };
export const NOT_NEEDED: StageOutcome = skipped('not_needed');
export const NOT_REACHED: StageOutcome = skipped('not_reached');

export function failed(code: StageCode): StageOutcome {
  return { status: 'failed', code };
}

export function skipped(code: StageCode): StageOutcome {
  return { status: 'skipped', code };
}

/** The stages that a request passes on its way to an MCP response, in order. */
const WAY = ['address', 'tls', 'http', 'mcp'] as const;
type Way = (typeof WAY)[number];

/** The part of a probe's result about the way to the server. */
export interface Met {
  readonly finding: Finding;
  readonly clock: Pick<ProbeClock, 'has'>;
  readonly isPlain: boolean;
  /** A credential-only entry: the server need not speak MCP. */
  readonly isInternal: boolean;
}

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

/** The first four stages. */
export function reachingOutcomes(met: Met): StageOutcomes {
  const outcomes = wayOf(met);
  return met.isPlain && outcomes.tls !== NOT_REACHED ? { ...outcomes, tls: NOT_NEEDED } : outcomes;
}

function wayOf({ finding, clock, isPlain, isInternal }: Met): StageOutcomes {
  switch (finding.kind) {
    case 'unreachable': {
      const code = codeOfError(finding.error);
      const isUntried = isInternal && code === 'address_not_allowed';
      const outcome = isUntried ? skipped(code) : failed(code);
      return until(stageOfError(finding.error, clock, isPlain), outcome);
    }
    case 'redirect':
      return until('http', failed('redirected'));
    case 'old_transport':
      return until('mcp', isInternal ? NOT_NEEDED : failed('old_transport'));
    case 'other': {
      if (isInternal && isAccepted(finding)) return until('mcp', NOT_NEEDED);
      const code = httpCodeOf(finding);
      return code === undefined ? until('mcp', failed('not_mcp')) : until('http', failed(code));
    }
    case 'mcp':
      return until('mcp', PASSED);
    case 'unauthorized':
      return until('mcp', finding.era === undefined ? NOT_REACHED : PASSED);
  }
}

/** True if a server that need not speak MCP has accepted the request. */
export function isAccepted({ status, errorCode }: Extract<Finding, { kind: 'other' }>): boolean {
  return status < 300 && errorCode === undefined;
}

/** The stages before one, which have passed, that one, and those after it. */
function until(stage: Way, outcome: StageOutcome): StageOutcomes {
  const at = WAY.indexOf(stage);
  const outcomes: StageOutcomes = {};
  for (const [index, name] of WAY.entries()) {
    outcomes[name] = index === at ? outcome : index < at ? PASSED : NOT_REACHED;
  }
  return outcomes;
}

function stageOfError(
  { kind, reason }: EgressError,
  clock: Pick<ProbeClock, 'has'>,
  isPlain: boolean,
): Way {
  if (AT_ADDRESS.has(reason)) return 'address';
  if (kind === 'tls') return 'tls';
  if (!clock.has('connected')) return 'address';
  return isPlain || clock.has('secured') ? 'http' : 'tls';
}

function codeOfError({ kind, reason }: EgressError): StageCode {
  return reason === 'other' ? BY_KIND[kind] : reason;
}

/** Undefined for a response that is not MCP. */
function httpCodeOf({
  status,
  errorCode,
}: Extract<Finding, { kind: 'other' }>): StageCode | undefined {
  if (errorCode !== undefined) return undefined;
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : undefined;
}
