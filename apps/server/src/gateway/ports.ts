import type { DiscardLimits } from '../http/discard.ts';
import type { Envelope } from '../mcp/envelope/message.ts';
import type { AggregateSession } from '../sessions/sessions.ts';
import type { EntireBodyReader } from './entire-body.ts';
import type { Inbound } from './inbound.ts';
import type { GatewayLimits } from './limits.ts';
import type { OwnAnswer } from './own-answer.ts';
import type { BodyNeed, BodyReader, RequestBody } from './request-body.ts';

/** The session of a legacy client with the aggregate, for which sessions with integrations are begun. */
export type AggregateSessionRef = Pick<AggregateSession, 'id' | 'hello' | 'logLevel'>;

/** The head of a client's request. */
interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Name, value, name, value … */
  readonly rawHeaders: readonly string[];
  /** The headers that are used here. */
  readonly inbound: Inbound;
  readonly requestId: string;
  /** The client's. */
  readonly address: string;
}

/** A client's request. */
export interface ClientRequest extends RequestHead {
  /** @throws ProblemError, see `readEntireBody` */
  readEntireBody(reader: EntireBodyReader, limits: GatewayLimits): Promise<Buffer>;
  /** Lets the client finish sending a body that is not needed, so that it reads the response. */
  discardRest(limits?: DiscardLimits): void;
}

/** The request of a call to one integration: a client's own, or one that the aggregate makes from a client's. */
export interface CallRequest extends RequestHead {
  /** Undefined for a call by the pair's own URL. */
  readonly behind: BehindAggregate | undefined;
  /** @throws ProblemError, see `readBody` */
  readBody(
    reader: BodyReader,
    need: BodyNeed,
    limits: GatewayLimits,
  ): RequestBody | Promise<RequestBody>;
  discardRest(limits?: DiscardLimits): void;
}

/** A call that the aggregate makes, as only the aggregate knows it. */
export interface BehindAggregate {
  /** It belongs to a session with the integration that begins when it is first needed. */
  readonly session: AggregateSessionRef | undefined;
  /** The content of its body, where it is known already: the audit and limits read no body twice. */
  readonly envelope: Envelope | undefined;
  /** Made by the gateway for itself: limits do not count it. */
  readonly isOwn: boolean;
  /** Its client uses that session: reading lists, and what all integrations hear, does not keep it. */
  readonly isUse: boolean;
  /** A GET that goes on with the stream of a request, so that its answer may come. */
  readonly isResumed: boolean;
}

/** An answer of ours is addressed with this. */
export interface Answered {
  readonly request: Pick<RequestHead, 'url'>;
  readonly requestId: string;
  /** Sent with every response: name, value, name, value … */
  readonly corsHeaders: readonly string[];
}

/** Where the answer to a request goes: a client, by HTTP, or a reader in this process. */
export interface ResponseSink {
  /** Of the head that has been written; 0 before. */
  readonly status: number;
  /** Its reader has left. */
  readonly isGone: boolean;
  /** Nothing more can be sent. */
  readonly isOver: boolean;
  /** All of it has been sent. */
  readonly isSent: boolean;
  /** Its reader has more than it takes at the moment. */
  readonly isFull: boolean;
  /** Bytes that its reader has not taken. */
  readonly waitingBytes: number;
  /** Writes the head, which goes out with the first bytes of the body. @param headers name, value, name, value … */
  begin(status: number, headers: string[]): void;
  /** Sends the head by itself. */
  flush(): void;
  /** Returns false if the reader has not taken what was sent before. */
  write(part: Buffer | string): boolean;
  end(rest?: Buffer | string): void;
  /** Breaks off. */
  destroy(): void;
  /** Gives an answer of ours in place of an upstream's; one that comes too late breaks off. @returns bytes of its body */
  answer(own: OwnAnswer, answered: Answered): number;
  /** @param listener called once, as soon as the reader has taken all */
  onDrain(listener: () => void): void;
  /** @param listener called when it has been sent, or its reader has left, who may have what it waited for */
  onClose(listener: (isAnswered: boolean) => void): void;
}
