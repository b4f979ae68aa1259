import type { BegunCall } from '../audit/writing/prepare-calls.ts';
import type { Caller } from '../identity/caller.ts';
import type { Envelope } from '../mcp/envelope/message.ts';
import { readEnvelope } from '../mcp/envelope/read-envelope.ts';
import { MAX_AT_ONCE } from '../mcp/json/parse.ts';
import { type CallMessage, callMessagesOf } from './call-messages.ts';

/** A body that is not kept. Its envelope is read as it passes, if an observer needs it. */
export interface PassingBody {
  readonly envelope: Envelope | undefined;
}

/** The ids of a route that the caller's organization has. */
export interface RouteIds {
  readonly applicationId: string;
  readonly integrationId: string;
}

const NO_REASONS: readonly string[] = [];
const NO_MESSAGES: readonly CallMessage[] = [];

const TOO_LONG: Envelope = {
  kind: 'unreadable',
  reason: 'The body is too long to be read at once.',
  mayCall: true,
};

/** What is noted during a call for its record. */
export class CallNotes {
  /** Whether an observer reads the messages. */
  readonly needsMessages: boolean;
  /** As soon as the token has been found, which may be refused after that. */
  caller: Caller | undefined;
  route: RouteIds | undefined;
  bytesIn = 0;
  bytesOut = 0;
  /** Observers have learned that its response has passed, on a stream that goes on. */
  wasAnswered = false;
  /** Of its messages, if the audit has stored that they begin. */
  begun: readonly BegunCall[] | undefined;
  body: Buffer | PassingBody | null = null;
  /** If something has read the body before. */
  envelope: Envelope | undefined;
  #reasons: string[] | undefined;

  constructor(needsMessages: boolean) {
    this.needsMessages = needsMessages;
  }

  get reasons(): readonly string[] {
    return this.#reasons ?? NO_REASONS;
  }

  /** @param code from a closed list */
  addReason(code: string): void {
    this.#reasons ??= [];
    if (!this.#reasons.includes(code)) this.#reasons.push(code);
  }

  /** Empty without a body, and if no observer reads it. */
  get messages(): readonly CallMessage[] {
    const envelope = this.needsMessages ? this.readEnvelope() : undefined;
    return envelope === undefined ? NO_MESSAGES : callMessagesOf(envelope);
  }

  /** Reads the body if nothing else has read it. Undefined without one. */
  readEnvelope(): Envelope | undefined {
    const { envelope, body } = this;
    if (envelope !== undefined || body === null) return envelope;
    if ('envelope' in body) return body.envelope;
    if (body.length === 0) return undefined;
    this.envelope = body.length > MAX_AT_ONCE ? TOO_LONG : readEnvelope(body);
    return this.envelope;
  }
}
