import { timeOfId } from '../platform/ids.ts';
import type { Mac } from '../vault/mac.ts';
import type { AggregateSession } from './aggregate-session.ts';
import type { Question } from './forwarded-answers.ts';

/**
 * The ids of questions to legacy clients, as the client knows them. Nothing is stored: an id names the node that waits for
 * the answer, with a MAC that binds it to the client's session.
 */
export interface QuestionIds {
  /** @returns raw JSON */
  issue(session: Pick<AggregateSession, 'id'>, question: Question): string;
  /** Undefined for an id that was altered, or belongs to another session. @param raw JSON */
  read(session: Pick<AggregateSession, 'id'>, raw: string): Question | undefined;
}

/** Node, question, tag, and the id of the key. */
const FORM = /^"gatehouse-([0-9a-f-]{36})\.([0-9a-f-]{36})\.([\w-]{43})\.([A-Za-z0-9._-]{1,64})"$/;

export function createQuestionIds(mac: Mac): QuestionIds {
  return {
    issue(session, question) {
      const { nodeId, id } = question;
      const { keyId, tag } = mac.sign(signedText(session, question));
      return `"gatehouse-${nodeId}.${id}.${tag.toString('base64url')}.${keyId}"`;
    },
    read(session, raw) {
      const [, nodeId, id, text, keyId] = FORM.exec(raw) ?? [];
      if (nodeId === undefined || id === undefined || text === undefined || keyId === undefined) {
        return undefined;
      }
      const question = { nodeId, id };
      const isOurs = mac.verify(
        keyId,
        signedText(session, question),
        Buffer.from(text, 'base64url'),
      );
      return isOurs ? question : undefined;
    },
  };
}

/** Milliseconds since it was asked. Clocks of nodes may differ. */
export function ageOf({ id }: Question): number {
  return Date.now() - timeOfId(id);
}

function signedText({ id }: Pick<AggregateSession, 'id'>, question: Question): string {
  return JSON.stringify([id, question.nodeId, question.id]);
}
