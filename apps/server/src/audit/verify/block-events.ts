import { callIdOf } from '../block.ts';
import { type CallInput, encodeCalls } from '../encode-calls.ts';
import { type AuditEvent, type CallEvent, digestOf } from '../event.ts';
import type { BlockLine } from '../export-lines.ts';
import { hashOfText } from '../hash.ts';
import type { FindingCode, Findings } from './report.ts';

/** The events of one block, which are compared with what the block says about them. */
export class BlockEvents {
  readonly #block: BlockLine;
  readonly #findings: Findings;
  readonly #expectedCalls: number;
  readonly #calls: CallInput[] = [];
  /** Call events that have come. */
  #accepted = 0;
  /** Management events that have come, or would have come before one that has. */
  #managed = 0;

  constructor(block: BlockLine, findings: Findings) {
    this.#block = block;
    this.#findings = findings;
    this.#expectedCalls = block.bodyDropped ? 0 : block.calls;
  }

  /**
   * @param stored the event as it was parsed
   * @returns false if the block has all of its events, so that this is not one of them
   */
  accept(event: AuditEvent, stored: unknown): boolean {
    if (this.#accepted < this.#expectedCalls) {
      this.#acceptCall(event);
      return true;
    }
    return this.#acceptManaged(event, stored);
  }

  /**
   * All call events at once.
   *
   * @param body as `encodeCalls` prints them
   * @returns how many they are
   */
  acceptBody(body: string): number {
    if (hashOfText(body) !== this.#block.body) this.#changed();
    this.#accepted = this.#expectedCalls;
    return this.#accepted;
  }

  #acceptCall(event: AuditEvent): void {
    const expected = callIdOf(this.#block.id, this.#accepted);
    if (event.kind !== 'call' || event.id !== expected) {
      this.#report('event_missing', expected, 'The call event is missing, or not in its place.');
    }
    // Counted in its place, so that what follows is compared with what it should be.
    if (event.kind === 'call') this.#calls.push(inputOf(event));
    this.#accepted = this.#calls.length;
    if (this.#accepted === this.#expectedCalls) this.#compareCalls();
  }

  #compareCalls(): void {
    const { from, to, applications, integrations, people, ended = [], body } = this.#block;
    const encoded = encodeCalls(this.#calls);
    const said = [from, to, applications, integrations, people, ended, body];
    const found = [
      ...[encoded.from, encoded.to, encoded.applications, encoded.integrations, encoded.people],
      ...[encoded.ended, hashOfText(encoded.body)],
    ];
    if (JSON.stringify(said) !== JSON.stringify(found)) this.#changed();
  }

  #changed(): void {
    this.#report('calls_changed', undefined, 'A call event of the block is changed.');
  }

  #acceptManaged(event: AuditEvent, stored: unknown): boolean {
    const { managed, managedDropped } = this.#block;
    const expected = managed[this.#managed];
    const isNext = expected?.id === event.id;
    const at = isNext ? this.#managed : managed.findIndex(({ id }) => id === event.id);
    if (expected === undefined && at === -1) return false;
    if (at === -1) {
      if (managedDropped) return false;
      this.#report('event_foreign', event.id, 'The event is in no block.');
    } else if (at < this.#managed) {
      this.#report('event_order', event.id, 'The management event comes twice, or too late.');
    } else {
      if (at > this.#managed && !managedDropped) this.#missing(this.#managed);
      this.#managed = at + 1;
      if (managed[at]?.digest !== digestOf(stored)) {
        this.#report('event_changed', event.id, 'The management event is changed.');
      }
    }
    return true;
  }

  #missing(index: number): void {
    const id = this.#block.managed[index]?.id;
    this.#report('event_missing', id, 'The management event is missing, or not in its place.');
  }

  /** No more events follow. */
  finish(): void {
    const { id, managed, managedDropped } = this.#block;
    if (this.#accepted < this.#expectedCalls) {
      this.#report('event_missing', callIdOf(id, this.#accepted), 'The call event is missing.');
    }
    if (this.#managed < managed.length && !managedDropped) this.#missing(this.#managed);
  }

  #report(code: FindingCode, eventId: string | undefined, message: string): void {
    const { run, number } = this.#block;
    const where = eventId === undefined ? { run, number } : { run, number, eventId };
    this.#findings.add(code, message, where);
  }
}

function inputOf({ id: _id, kind: _kind, at, ...event }: CallEvent): CallInput {
  return { ...event, at: Date.parse(at) };
}
