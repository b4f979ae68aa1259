import { randomUUID } from 'node:crypto';
import type { EventChanges } from '../../mcp/aggregate/event-rewriter.ts';

/** What an integration has sent to the client under an id: a request, or an event. */
export interface ServerRequestId {
  readonly attachmentId: string;
  /** The integration's own; of a request raw JSON. */
  readonly id: string;
}

const FORM = /^"gatehouse\.([0-9a-f-]{36})\.([\w-]+)"$/;

/** Undefined for an id that is not of this form. What it holds is not trusted: it reaches only the caller's own session. */
export function readServerRequestId(raw: string): ServerRequestId | undefined {
  const [, attachmentId, encoded] = FORM.exec(raw) ?? [];
  if (attachmentId === undefined || encoded === undefined) return undefined;
  const id = Buffer.from(encoded, 'base64url').toString();
  return isRawId(id) ? { attachmentId, id } : undefined;
}

/** Ids in the event streams of an integration as the client knows them, so that what it sends back leads there, on any node. */
export class IdsForClient implements EventChanges {
  readonly #attachmentId: string;

  constructor(attachmentId: string) {
    this.#attachmentId = attachmentId;
  }

  eventId(id: string): string {
    return `${this.#attachmentId}.${id}`;
  }

  requestId(id: string): string {
    return `"gatehouse.${this.#attachmentId}.${Buffer.from(id).toString('base64url')}"`;
  }
}

/** The id of a request that the aggregate makes for itself, or in place of a client's. */
export function ownRequestId(): string {
  return `gatehouse-${randomUUID()}`;
}

const EVENT_FORM = /^([0-9a-f-]{36})\.(.*)$/;

/** Undefined for an id that is not of this form. */
export function readEventId(lastEventId: string): ServerRequestId | undefined {
  const [, attachmentId, id] = EVENT_FORM.exec(lastEventId) ?? [];
  return attachmentId === undefined || id === undefined ? undefined : { attachmentId, id };
}

/** A string or a number: nothing else could be put into a body in its place. */
function isRawId(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' || typeof value === 'number';
  } catch {
    return false;
  }
}
