import { randomUUID } from 'node:crypto';
import type { ChangeSet, Changes } from '../../../platform/changes/changes.ts';
import { createId } from '../../../platform/ids.ts';
import { Slots } from '../../../platform/slots.ts';
import { ageOf, type QuestionIds } from '../../../sessions/question-ids.ts';
import type { AggregateSession, GatewaySessions, Question } from '../../../sessions/sessions.ts';
import { noRoomForBody } from '../../problems.ts';

export interface QuestionsOptions {
  readonly changes: Changes;
  readonly questionIds: QuestionIds;
  readonly sessions: Pick<GatewaySessions, 'answers'>;
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly session: AggregateSession;
  readonly onAnswer: (body: Buffer) => void;
}

/** Milliseconds for which a question is worth an answer. */
export const QUESTION_LIFETIME = 10 * 60_000;

/** Bytes of an answer: a model's may hold pictures. */
export const MAX_ANSWER = 4 * 1024 * 1024;

/** Answers on their way to or from the database at the same time, and those that wait for that. */
const PLACES = { running: 4, waiting: 10_000, refusal: noRoomForBody };

/** Milliseconds after which the database is asked again. */
const RETRY = 1_000;

const EMPTY = Buffer.alloc(0);

/**
 * What legacy clients are asked by this node, and their answers, which may reach any node. An answer that reaches another
 * one is stored, and this one takes it as soon as it hears of it.
 */
export class Questions {
  readonly #nodeId = randomUUID();
  readonly #options: QuestionsOptions;
  readonly #asked = new Map<string, Waiting>();
  readonly #slots = new Slots(PLACES);
  readonly #unsubscribe: () => void;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: QuestionsOptions) {
    this.#options = options;
    this.#unsubscribe = options.changes.subscribe({ react: (changes) => this.#react(changes) });
  }

  /** @returns the id for the client, as raw JSON, and what tells that its answer is not waited for any more */
  ask(
    session: AggregateSession,
    onAnswer: (body: Buffer) => void,
  ): { readonly id: string; readonly forget: () => void } {
    const { id } = createId();
    this.#asked.set(id, { session, onAnswer });
    return {
      id: this.#options.questionIds.issue(session, { nodeId: this.#nodeId, id }),
      forget: () => void this.#asked.delete(id),
    };
  }

  /** The question that a message answers. Undefined if that session was not asked this. @param id of the message, raw JSON */
  find(session: AggregateSession, id: string): Question | undefined {
    return this.#options.questionIds.read(session, id);
  }

  /** Undefined if it has been asked here: then it has its answer. Another node's is stored for it. */
  answer(session: AggregateSession, question: Question, body: Buffer): Promise<void> | undefined {
    if (question.nodeId === this.#nodeId) {
      this.#deliver(question.id, body);
      return undefined;
    }
    return this.#forward(session, question, body);
  }

  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#retry);
  }

  async #forward(session: AggregateSession, question: Question, body: Buffer): Promise<void> {
    const left = QUESTION_LIFETIME - ageOf(question);
    if (left <= 0) return;
    // One that is too long has the same effect here as there.
    const text = (body.length <= MAX_ANSWER ? body : EMPTY).toString();
    const { answers } = this.#options.sessions;
    await this.#slots.run(() => answers.store(session, question, text, left));
  }

  #react(changes: ChangeSet): void {
    if (changes === 'everything') {
      this.#look();
      return;
    }
    for (const { kind, id } of changes) {
      if (kind !== 'answer' || !id.startsWith(this.#nodeId)) continue;
      this.#take(id.slice(this.#nodeId.length + 1));
    }
  }

  #take(id: string): void {
    this.#slots.run(() => this.#deliverStored(id)).catch((error) => this.#lookLater(error));
  }

  async #deliverStored(id: string): Promise<void> {
    const { answers } = this.#options.sessions;
    const waiting = this.#asked.get(id);
    if (waiting === undefined) await answers.discard(id);
    else {
      const text = await answers.take(waiting.session, id);
      if (text !== undefined) this.#deliver(id, Buffer.from(text));
    }
  }

  #deliver(id: string, body: Buffer): void {
    const waiting = this.#asked.get(id);
    this.#asked.delete(id);
    waiting?.onAnswer(body);
  }

  /** Announcements may have been lost. */
  #look(): void {
    if (this.#asked.size === 0) return;
    const { answers } = this.#options.sessions;
    answers
      .findAnswered([...this.#asked.keys()])
      .then((ids) => ids.forEach((id) => void this.#take(id)))
      .catch((error) => this.#lookLater(error));
  }

  #lookLater(error: unknown): void {
    this.#options.onError(error);
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#look();
    }, RETRY).unref();
  }
}
