import {
  hintOf,
  namingRedirectUri,
  REDIRECT_URI,
  type StageCode,
  stageFailure,
  type ValidationStage,
  type ValidationStageName,
  validationStageNameSchema,
} from '@gatehouse/contract';
import type { CredentialOutcome } from '../../outcome.ts';
import type { Authorization } from '../authorization.ts';
import type { Finding } from '../finding.ts';
import type { ProbeClock } from '../probe-clock.ts';
import { authorizationOutcomes, credentialOutcomes } from './authorizing.ts';
import {
  failed,
  NOT_NEEDED,
  NOT_REACHED,
  reachingOutcomes,
  type StageOutcomes,
} from './reaching.ts';

/** Everything that a probe has found out. */
export interface Probed {
  readonly url: string;
  /** A credential-only entry: the server need not speak MCP. */
  readonly isInternal: boolean;
  readonly outcome: CredentialOutcome;
  readonly finding: Finding;
  /** Undefined where people do not connect by OAuth. */
  readonly authorization: Authorization | undefined;
  readonly clock: ProbeClock;
  /** Milliseconds for resolving the credential, and for another one where the first was refused. */
  readonly credentialTook: number;
}

/** The outcomes of a probe's stages. */
export function outcomesOf(probed: Probed): StageOutcomes {
  const { url, isInternal, outcome, finding, authorization, clock } = probed;
  const isPlain = new URL(url).protocol === 'http:';
  return {
    ...reachingOutcomes({ finding, clock, isPlain, isInternal }),
    ...credentialOutcomes(outcome, finding, isInternal),
    ...authorizationOutcomes(authorization, finding),
  };
}

/** All stages of a probe, in their order. */
export function stagesOf(probed: Probed, outcomes = outcomesOf(probed)): ValidationStage[] {
  const stages = listOf(outcomes, timesOf(probed), probed.authorization?.redirectUri);
  const certificateExpiresAt = probed.clock.certificateExpiry()?.toISOString();
  if (certificateExpiresAt === undefined) return stages;
  return stages.map((each) =>
    each.stage === 'tls' && each.status === 'passed' ? { ...each, certificateExpiresAt } : each,
  );
}

/** The stages of a validation that sent nothing. @param code why the credential cannot be used */
export function stagesOfUnusable(code: StageCode): ValidationStage[] {
  const outcomes: StageOutcomes = {};
  for (const stage of validationStageNameSchema.options) outcomes[stage] = NOT_REACHED;
  return listOf({ ...outcomes, credential: failed(code) }, {});
}

function timesOf({
  clock,
  authorization,
  credentialTook,
}: Probed): Partial<Record<ValidationStageName, number>> {
  return {
    address: clock.since([], 'connected'),
    tls: clock.since(['connected'], 'secured'),
    http: clock.since(['connected', 'secured'], 'responded'),
    mcp: clock.since(['connected', 'secured', 'responded'], 'spoken'),
    discovery: authorization?.milliseconds ?? 0,
    credential: credentialTook,
    tools: clock.since(['spoken'], 'done'),
  };
}

function listOf(
  outcomes: StageOutcomes,
  times: Partial<Record<ValidationStageName, number>>,
  redirectUri = REDIRECT_URI,
): ValidationStage[] {
  return validationStageNameSchema.options.map((stage) => {
    const { status, code } = outcomes[stage] ?? NOT_NEEDED;
    const failure = code && stageFailure(stage, code);
    return {
      stage,
      status,
      ...(code === undefined ? {} : { code }),
      milliseconds: status === 'skipped' ? 0 : (times[stage] ?? 0),
      ...(failure === undefined ? {} : { hint: namingRedirectUri(hintOf(failure), redirectUri) }),
    };
  });
}
