import { type Caller, subjectIdOf } from '../identity/caller.ts';
import { InHand } from '../platform/in-hand.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { GatewayLimits } from './limits.ts';

type Limits = Pick<GatewayLimits, 'streamsOfSession' | 'streamsOfPerson'>;

/** The streams that clients keep open to listen on this node: one session and one person have their share. */
export class OpenStreams {
  readonly #open = new InHand();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * @param session undefined for a stream without one
   * @returns what gives the place back
   * @throws ProblemError `rate_limited`
   */
  enter(caller: Caller, session: { readonly id: string } | undefined): () => void {
    const { streamsOfSession, streamsOfPerson } = this.#limits;
    const person = `person ${subjectIdOf(caller)}`;
    const keys = [person];
    if (!this.#open.begin(person, streamsOfPerson)) {
      throw tooManyStreams(`One person may keep ${streamsOfPerson} event streams open`);
    }
    if (session !== undefined) {
      const key = `session ${session.id}`;
      if (!this.#open.begin(key, streamsOfSession)) {
        this.#open.end(person);
        throw tooManyStreams(`One session may keep ${streamsOfSession} event streams open`);
      }
      keys.push(key);
    }
    return () => {
      for (const key of keys) this.#open.end(key);
    };
  }
}

function tooManyStreams(limit: string): ProblemError {
  return new ProblemError('rate_limited', `${limit}. Close one of them first.`, {
    headers: { 'Retry-After': '5' },
  });
}
