import type { ValidationStatus } from '../../shared/validation.ts';

/** The side that must act. `nobody`: another attempt may succeed. `upstream`: those who run the server. */
export type FailureActor = 'person' | 'admin' | 'operator' | 'upstream' | 'nobody';

/** One way to fail, for everybody who reads of it. */
export interface Failure<Outcome = ValidationStatus> {
  /** What it makes of a validation, or of an attempt to connect. */
  readonly outcome: Outcome;
  /** A fact: one sentence that a frame may continue, without its full stop. */
  readonly sentence: string;
  /** One imperative sentence for the actor. */
  readonly hint: string;
  readonly actor: FailureActor;
}

/** Failures that have outcome and actor in common. */
export function failuresOf<const Outcome extends string>(outcome: Outcome, actor: FailureActor) {
  return (sentence: string, hint: string): Failure<Outcome> => {
    return { outcome, sentence, hint, actor };
  };
}

/** What a person or an admin can do about it: where the operator must act, to ask for it. */
export function hintOf({ hint, actor }: Pick<Failure, 'hint' | 'actor'>): string {
  return actor === 'operator' ? `Ask the operator of Gatehouse to ${clauseOf(hint)}.` : hint;
}

/** A sentence of the catalogue as a clause within another one. */
export function clauseOf(sentence: string): string {
  const clause = sentence.slice(0, -1);
  return clause.startsWith('Gatehouse')
    ? clause
    : `${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
}
