import {
  type StageCode,
  type ValidationStage,
  type ValidationStageName,
  type ValidationStatus,
  validationStageNameSchema,
} from '@gatehouse/contract';
import type { IntegrationRow } from '../state/rows.ts';

type Outcome = Pick<ValidationStage, 'status' | 'code'>;

const PASSED: Outcome = { status: 'passed' };
const NOT_NEEDED: Outcome = { status: 'skipped', code: 'not_needed' };
const NOT_REACHED: Outcome = { status: 'skipped', code: 'not_reached' };

/** Stages that fit the result of a validation: the server was reached, and the credential decides. */
export function stagesOf(
  { authMode, url }: Pick<IntegrationRow, 'authMode' | 'url'>,
  status: ValidationStatus,
): ValidationStage[] {
  const hasNone = authMode === 'none';
  const forOauth = authMode === 'oauth' ? PASSED : NOT_NEEDED;
  const outcomes: Readonly<Record<ValidationStageName, Outcome>> = {
    address: PASSED,
    tls: url.toLowerCase().startsWith('https:') ? PASSED : NOT_NEEDED,
    http: PASSED,
    mcp: hasNone && status === 'invalid' ? failed('not_mcp') : PASSED,
    challenge: hasNone ? NOT_NEEDED : PASSED,
    discovery: forOauth,
    registration: forOauth,
    credential: hasNone ? NOT_NEEDED : credentialStage(authMode, status),
    tools: status === 'valid' ? PASSED : NOT_REACHED,
  };
  return validationStageNameSchema.options.map((stage) => ({
    stage,
    ...outcomes[stage],
    milliseconds: outcomes[stage].status === 'skipped' ? 0 : 1,
  }));
}

function credentialStage(authMode: IntegrationRow['authMode'], status: ValidationStatus): Outcome {
  if (status === 'valid') return PASSED;
  if (status === 'invalid') return failed('credential_rejected');
  const code = authMode === 'server_token' ? 'server_token_missing' : 'connection_required';
  return { status: 'skipped', code };
}

function failed(code: StageCode): Outcome {
  return { status: 'failed', code };
}
