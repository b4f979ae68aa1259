import { randomUUID } from 'node:crypto';
import { Prisma } from '../generated/prisma/client.ts';
import type { ChangeSet } from '../platform/changes/changes.ts';
import { CHANNEL } from '../platform/changes/message.ts';
import type { Store } from '../platform/database/store.ts';
import { createId, timeOfId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { Slots } from '../platform/slots.ts';
import type { Mac } from '../vault/mac.ts';
import { answerSealContext } from '../vault/seal-contexts.ts';
import type { Vault } from '../vault/vault.ts';
import type { AggregateSession } from './aggregate-session-repository.ts';

export interface QuestionsOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** For the purpose `question`. */
  readonly mac: Mac;
  readonly onError: (error: unknown) => void;
}

type AskedSession = Pick<AggregateSession, 'id' | 'organizationId'>;

/** Milliseconds for which a question can be answered. */
export const QUESTION_LIFETIME = 10 * 60_000;

/** Bytes of an answer: a model's may hold pictures. */
export const MAX_ANSWER = 4 * 1024 * 1024;

/** Answers that are written or taken at the same time, and those that wait for that. */
const SLOTS = { running: 4, waiting: 10_000, refusal: tooManyAnswers };

/** Milliseconds after which answers are looked for again once the database has failed. */
const RETRY = 1_000;

/** Node, question, tag, and the id of the key. */
const FORM = /^"gatehouse-([0-9a-f-]{36})\.([0-9a-f-]{36})\.([\w-]{43})\.([A-Za-z0-9._-]{1,64})"$/;

/**
 * The questions of this node to legacy clients. Their answers may reach any node: the id of a question names the node that
 * has asked, with a MAC that binds it to the client's session. Another node stores the answer and announces it; the node
 * that has asked takes it away.
 */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #nodeId = randomUUID();
  readonly #asked = new Map<string, { session: AskedSession; onAnswer: (body: Buffer) => void }>();
  readonly #slots = new Slots(SLOTS);
  readonly #unsubscribe: () => void;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: QuestionsOptions) {
    this.#options = options;
    const { changes } = options.store;
    this.#unsubscribe = changes.subscribe({ react: (set) => void this.#takeAnnounced(set) });
  }

  /** @returns the id for the client, as raw JSON, and a function for when no answer is awaited any more */
  ask(session: AskedSession, onAnswer: (body: Buffer) => void) {
    const { id } = createId();
    this.#asked.set(id, { session, onAnswer });
    const { keyId, tag } = this.#options.mac.sign(signedText(session, this.#nodeId, id));
    return {
      id: `"gatehouse-${this.#nodeId}.${id}.${tag.toString('base64url')}.${keyId}"`,
      forget: () => void this.#asked.delete(id),
    };
  }

  /**
   * Takes a client's answer, for whichever node has asked.
   *
   * @param rawId of the message, raw JSON
   * @returns false for an id of no question to that session
   */
  async answer(session: AskedSession, rawId: string, body: Buffer): Promise<boolean> {
    const [, nodeId, id, tag, keyId] = FORM.exec(rawId) ?? [];
    if (!nodeId || !id || !tag || !keyId) return false;
    const text = signedText(session, nodeId, id);
    if (!this.#options.mac.verify(keyId, text, Buffer.from(tag, 'base64url'))) return false;
    if (nodeId === this.#nodeId) this.#deliver(id, body);
    else await this.#slots.run(() => this.#store(session, nodeId, id, body));
    return true;
  }

  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#retry);
  }

  /** Nothing is stored while there is an answer to the same question, or once the session has ended. */
  async #store(session: AskedSession, nodeId: string, id: string, body: Buffer): Promise<void> {
    // Clocks of nodes may differ.
    const left = QUESTION_LIFETIME - (Date.now() - timeOfId(id));
    if (left <= 0) return;
    // An answer that is too long has the same effect as an empty one.
    const text = body.length <= MAX_ANSWER ? body.toString() : '';
    const { keyId, sealed } = this.#options.vault.seal(text, contextOf(session, id));
    const change = { kind: 'answer', id: `${nodeId}:${id}` } as const;
    await this.#options.store.statement([change], ([notification = '']) => ({
      name: 'store-answer',
      sql: Prisma.sql`
        WITH "open" AS (
          SELECT "id" FROM "AggregateSession"
          WHERE "id" = ${session.id}::uuid AND "endedAt" IS NULL FOR SHARE
        ), "stored" AS (
          INSERT INTO "ForwardedAnswer"
            ("id", "organizationId", "aggregateSessionId", "sealed", "keyId", "expiresAt")
          SELECT ${id}::uuid, ${session.organizationId}::uuid, "id",
            decode(${sealed.toString('base64')}, 'base64'), ${keyId},
            now() + ${String(left)}::float8 * interval '1 millisecond'
          FROM "open" ON CONFLICT DO NOTHING RETURNING "id"
        )
        SELECT pg_notify(${CHANNEL}, "payload")
        FROM "stored", (SELECT ${notification}::text AS "payload") n WHERE "payload" <> ''`,
    }));
  }

  /** After lost announcements, each question that waits may have its answer. */
  async #takeAnnounced(changes: ChangeSet): Promise<void> {
    const start = `${this.#nodeId}:`;
    const ids =
      changes === 'everything'
        ? [...this.#asked.keys()]
        : changes.flatMap(({ kind, id }) =>
            kind === 'answer' && id.startsWith(start) ? [id.slice(start.length)] : [],
          );
    try {
      for (const id of ids) await this.#slots.run(() => this.#take(id));
    } catch (error) {
      this.#options.onError(error);
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        void this.#takeAnnounced('everything');
      }, RETRY).unref();
    }
  }

  /** The row also goes where no call waits for the answer any more. */
  async #take(id: string): Promise<void> {
    const { store, vault } = this.#options;
    const [row] = await store.db.$queryRaw<{ sealed: Uint8Array; keyId: string }[]>`
      DELETE FROM "ForwardedAnswer" WHERE "id" = ${id}::uuid RETURNING "sealed", "keyId"`;
    const asked = this.#asked.get(id);
    if (row === undefined || asked === undefined) return;
    this.#deliver(id, Buffer.from(vault.open(row, contextOf(asked.session, id))));
  }

  #deliver(id: string, body: Buffer): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.onAnswer(body);
  }
}

function signedText({ id: sessionId }: AskedSession, nodeId: string, id: string): string {
  return JSON.stringify([sessionId, nodeId, id]);
}

function contextOf({ id: aggregateSessionId, organizationId }: AskedSession, id: string) {
  return answerSealContext({ organizationId, id, aggregateSessionId });
}

function tooManyAnswers(): ProblemError {
  return new ProblemError('overloaded', 'Too many answers wait to be stored. Try again shortly.', {
    headers: { 'Retry-After': '1' },
  });
}
