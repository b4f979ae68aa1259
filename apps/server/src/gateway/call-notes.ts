import type { BegunCall } from '../audit/writing/prepare-calls.ts';
import type { Caller } from '../identity/caller.ts';
import type { Envelope } from '../mcp/envelope/message.ts';
import { readEnvelope } from '../mcp/envelope/read-envelope.ts';
import type { Era } from '../mcp/era.ts';
import { MAX_AT_ONCE } from '../mcp/json/parse.ts';
import type { Admission } from './admission.ts';
import { type CallMessage, callMessagesOf } from './call-messages.ts';
import type { CallOutcome, CallRecord, CredentialSource } from './call-record.ts';
import type { CallRequest, ResponseSink } from './ports.ts';
import type { PassingBody } from './request-body.ts';

/** The ids of a route that the caller's organization has. */
export interface RouteIds {
  readonly applicationId: string;
  readonly integrationId: string;
}

/** A call as its record sees it. */
interface RecordedCall {
  readonly request: Pick<CallRequest, 'method' | 'address'>;
  readonly response: Pick<ResponseSink, 'status'>;
  readonly requestId: string;
  readonly era: Era;
  /** By the clock of `performance`. */
  readonly startedAt: number;
  readonly admission: Admission | undefined;
  readonly session: { readonly id: string } | undefined;
}

const NO_REASONS: readonly string[] = [];
const NO_MESSAGES: readonly CallMessage[] = [];

const TOO_LONG: Envelope = {
  kind: 'unreadable',
  reason: 'The body is too long to be read at once.',
  mayCall: true,
};

/** Facts collected during a call for its log, usage and audit. */
export class CallNotes {
  /** Whether an observer reads the messages. */
  readonly needsMessages: boolean;
  #caller: Caller | undefined;
  #route: RouteIds | undefined;
  #bytesIn = 0;
  #bytesOut = 0;
  #wasAnswered = false;
  #begun: readonly BegunCall[] | undefined;
  #body: Buffer | PassingBody | null = null;
  #envelope: Envelope | undefined;
  #reasons: readonly string[] = NO_REASONS;

  constructor(needsMessages: boolean) {
    this.needsMessages = needsMessages;
  }

  /** Its token has been found, which may be refused after that. */
  setCaller(caller: Caller): void {
    this.#caller = caller;
  }

  /** Its URL leads to an integration that the caller's organization has. */
  setRoute(route: RouteIds): void {
    this.#route = route;
  }

  /** A part of its body has been read. */
  countIn(bytes: number): void {
    this.#bytesIn += bytes;
  }

  /** Its body is known, or passes. */
  setBody(body: Buffer | PassingBody | null): void {
    this.#body = body;
  }

  /** Something has read the body. */
  setEnvelope(envelope: Envelope | undefined): void {
    this.#envelope = envelope;
  }

  /** The audit has stored that its messages begin. */
  setBegun(begun: readonly BegunCall[]): void {
    this.#begun = begun;
  }

  /** A part of its response's body has been sent. */
  countOut(bytes: number): void {
    this.#bytesOut += bytes;
  }

  /** Observers have learned that its response has passed, on a stream that goes on. */
  setAnswered(): void {
    this.#wasAnswered = true;
  }

  /** @param codes from closed lists, why the gateway refuses it */
  addReasons(codes: readonly string[]): void {
    if (codes.length > 0) this.#reasons = [...new Set([...this.#reasons, ...codes])];
  }

  get integrationId(): string | undefined {
    return this.#route?.integrationId;
  }

  /** Nothing more of a body on its way is needed. */
  stopBody(): void {
    const body = this.#body;
    if (body !== null && 'envelope' in body) body.destroy();
  }

  /** Reads the body if nothing else has read it. Undefined without one. */
  readEnvelope(): Envelope | undefined {
    const body = this.#body;
    if (this.#envelope !== undefined || body === null) return this.#envelope;
    if ('envelope' in body) return body.envelope;
    if (body.length === 0) return undefined;
    this.#envelope = body.length > MAX_AT_ONCE ? TOO_LONG : readEnvelope(body);
    return this.#envelope;
  }

  /** The record of a call that ends now. */
  recordOf(
    { request, response, requestId, era, startedAt, admission, session }: RecordedCall,
    outcome: CallOutcome,
  ): CallRecord {
    const ms = Math.round(performance.now() - startedAt);
    const endedAt = Date.now();
    const envelope = this.needsMessages ? this.readEnvelope() : undefined;
    const messages = envelope === undefined ? NO_MESSAGES : callMessagesOf(envelope);
    const isAddressed = outcome !== 'relayed' || this.needsMessages;
    return {
      requestId,
      method: request.method,
      era,
      outcome,
      status: response.status,
      startedAt: endedAt - ms,
      endedAt,
      ms,
      caller: this.#caller,
      applicationId: this.#route?.applicationId,
      integrationId: this.#route?.integrationId,
      credentialSource: admission && sourceOf(admission),
      messages,
      isOpenEnded: request.method === 'GET' || messages[0]?.method === 'subscriptions/listen',
      begun: this.#begun,
      wasAnswered: this.#wasAnswered,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      reasons: this.#reasons,
      sessionId: session?.id,
      address: isAddressed ? request.address : undefined,
    };
  }
}

function sourceOf({ credential }: Admission): CredentialSource {
  return credential.kind === 'ready' ? credential.source : 'missing';
}
