import { Prisma } from '../generated/prisma/client.ts';
import { CHANNEL } from '../platform/changes/message.ts';
import type { Store } from '../platform/database/store.ts';
import { answerSealContext } from '../vault/seal-contexts.ts';
import type { Vault } from '../vault/vault.ts';
import type { AggregateSession } from './aggregate-session.ts';

/** A question of a node to a client. */
export interface Question {
  readonly nodeId: string;
  /** UUIDv7. */
  readonly id: string;
}

type SessionOfAnswer = Pick<AggregateSession, 'id' | 'organizationId'>;

/** Answers of legacy clients that have reached another node than the one that has asked. */
export class ForwardedAnswers {
  readonly #store: Store;
  readonly #vault: Vault;

  constructor(store: Store, vault: Vault) {
    this.#store = store;
    this.#vault = vault;
  }

  /**
   * Stores one for the node that has asked, and tells that node. Nothing is stored while there is one to the same
   * question, or once the session has ended.
   *
   * @param lifetime milliseconds
   */
  async store(
    { id: aggregateSessionId, organizationId }: SessionOfAnswer,
    { nodeId, id }: Question,
    text: string,
    lifetime: number,
  ): Promise<void> {
    const context = answerSealContext({ organizationId, id, aggregateSessionId });
    const { keyId, sealed } = this.#vault.seal(text, context);
    const change = { kind: 'answer', id: `${nodeId}:${id}` } as const;
    await this.#store.statement([change], ([notification = '']) => ({
      name: 'forward-answer',
      sql: Prisma.sql`
        WITH "open" AS (
          SELECT "id" FROM "AggregateSession"
          WHERE "id" = ${aggregateSessionId}::uuid AND "endedAt" IS NULL FOR SHARE
        ), "stored" AS (
          INSERT INTO "ForwardedAnswer"
            ("id", "organizationId", "aggregateSessionId", "sealed", "keyId", "expiresAt")
          SELECT ${id}::uuid, ${organizationId}::uuid, "id", decode(${sealed.toString('base64')}, 'base64'),
            ${keyId}, now() + ${String(lifetime)}::float8 * interval '1 millisecond'
          FROM "open" ON CONFLICT DO NOTHING RETURNING "id"
        )
        SELECT pg_notify(${CHANNEL}, "payload")
        FROM "stored", (SELECT ${notification}::text AS "payload") n WHERE "payload" <> ''`,
    }));
  }

  /** Takes one away. Undefined if it is not there. @throws VaultError */
  async take(
    { id, organizationId }: SessionOfAnswer,
    questionId: string,
  ): Promise<string | undefined> {
    const [row] = await this.#store.db.$queryRaw<{ sealed: Uint8Array; keyId: string }[]>`
      DELETE FROM "ForwardedAnswer" WHERE "id" = ${questionId}::uuid RETURNING "sealed", "keyId"`;
    const context = { organizationId, id: questionId, aggregateSessionId: id };
    return row && this.#vault.open(row, answerSealContext(context));
  }

  /** No call waits for it. */
  async discard(questionId: string): Promise<void> {
    await this.#store.db.forwardedAnswer.deleteMany({ where: { id: questionId } });
  }

  /** The questions among these that are answered. */
  async findAnswered(questionIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#store.db.$queryRaw<{ id: string }[]>`
      SELECT "id" FROM "ForwardedAnswer" WHERE "id" = ANY(${[...questionIds]}::uuid[])`;
    return rows.map(({ id }) => id);
  }
}
