import type { StageCode } from '../../shared/validation.ts';
import { authorizationFailures } from './authorization-failures.ts';
import { credentialFailures } from './credential-failures.ts';
import type { Failure } from './failure.ts';
import { serverFailures } from './server-failures.ts';

type Explained = Exclude<StageCode, 'not_reached' | 'not_needed'>;

const failures: Readonly<Record<Explained, Pick<Failure, 'sentence' | 'hint' | 'actor'>>> = {
  ...authorizationFailures,
  ...credentialFailures,
  ...serverFailures,
};

/** Why a stage failed or was skipped; undefined for a code that needs no action, or that a newer service has. */
export function stageFailure(
  stage: string,
  code: string,
): Pick<Failure, 'sentence' | 'hint' | 'actor'> | undefined {
  const isAuthorization = stage === 'discovery' || stage === 'registration';
  if (isAuthorization && hasKey(authorizationFailures, code)) return authorizationFailures[code];
  return hasKey(failures, code) ? failures[code] : undefined;
}

export function hasKey<Table extends object>(table: Table, key: PropertyKey): key is keyof Table {
  return Object.hasOwn(table, key);
}
