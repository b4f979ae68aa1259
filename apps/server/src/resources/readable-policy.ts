import { ProblemError } from '../platform/problem-error.ts';
import { fromStored, type RulesSchema } from '../policy/stored-rules.ts';

/** @throws ProblemError `policy_unreadable` */
export function requireReadable<Rules>(schema: RulesSchema<Rules>, stored: unknown): Rules {
  const rules = fromStored(schema, stored);
  if (rules !== undefined) return rules;
  throw new ProblemError(
    'policy_unreadable',
    'This version of Gatehouse cannot read the stored rules, so they refuse every use. Replace them, or upgrade.',
  );
}
