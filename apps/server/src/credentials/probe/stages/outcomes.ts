import type { StageCode, ValidationStage, ValidationStageName } from '@gatehouse/contract';

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
