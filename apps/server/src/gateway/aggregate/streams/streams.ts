import { dependenciesOf, isTokenExpired, subjectIdOf } from '../../../identity/caller.ts';
import { type ChangeSet, type Changes, rowKey } from '../../../platform/changes/changes.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import type { InSession } from '../client-call.ts';
import { announcedTo } from '../lists/lists.ts';
import type { MergedStream } from './merged-stream.ts';

export interface AggregateStreamsOptions {
  readonly changes: Changes;
  /** Admits a client once more. Rejects with a ProblemError if it is not let in any more. */
  readonly readmit: (client: InSession) => Promise<InSession>;
  /** Its session is in use. */
  readonly noteUse: (client: InSession) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two looks at the open streams, and between two news of changed lists. */
const TICK = 1_000;

/** The streams that are open on this node. */
export class AggregateStreams {
  readonly #options: AggregateStreamsOptions;
  readonly #open = new Set<MergedStream>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;

  constructor(options: AggregateStreamsOptions) {
    this.#options = options;
    this.#unsubscribe = options.changes.subscribe({ react: (changes) => this.#react(changes) });
    this.#timer = setInterval(() => this.#tick(), TICK);
    this.#timer.unref();
  }

  async open(stream: MergedStream): Promise<void> {
    this.#open.add(stream);
    stream.start(() => this.#open.delete(stream));
    await this.#joinAll(stream);
  }

  /** The lists of a person have changed without a change of rows. */
  noteListChanges(applicationId: string, subjectId: string): void {
    for (const stream of this.#open) {
      const { application, caller } = stream.client;
      if (application.id === applicationId && subjectIdOf(caller) === subjectId) {
        stream.noteListChanges();
      }
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
    for (const stream of [...this.#open]) stream.end(true);
  }

  #tick(): void {
    const [now, date] = [performance.now(), Date.now()];
    for (const stream of [...this.#open]) {
      if (isTokenExpired(stream.client.caller, date)) stream.end(false);
      else {
        // A session with an open stream is in use.
        this.#options.noteUse(stream.client).catch(() => this.#followAgain(stream));
        if (stream.takeReopening(now)) this.#followAgain(stream);
        stream.tick(now);
      }
    }
  }

  #react(changes: ChangeSet): void {
    if (this.#open.size === 0) return;
    const changed = changes === 'everything' ? undefined : new Set(changes.map(rowKey));
    const isChanged = (row: string): boolean => changed === undefined || changed.has(row);
    for (const stream of [...this.#open]) {
      const { session } = stream.client;
      const haveRowsChanged = rowsOf(stream.client).some(isChanged);
      // Once every node knows of it: the client may have read from another node before.
      if (haveRowsChanged || listsOf(stream.client).some(isChanged)) stream.noteListChanges();
      // Its session has ended, or one behind it has begun.
      const hasSessionChanged = session !== undefined && isChanged(`session:${session.id}`);
      if (haveRowsChanged || hasSessionChanged) this.#followAgain(stream);
    }
  }

  #followAgain(stream: MergedStream): void {
    this.#readmit(stream).catch(this.#options.onError);
  }

  async #readmit(stream: MergedStream): Promise<void> {
    try {
      stream.client = await this.#options.readmit(stream.client);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code === 'database_unavailable') throw error;
      stream.end(false);
      return;
    }
    stream.leaveAllBut(stream.client.application.attachments);
    await this.#joinAll(stream);
  }

  async #joinAll(stream: MergedStream): Promise<void> {
    const { attachments } = stream.client.application;
    await Promise.all(attachments.map((attachment) => stream.join(attachment)));
  }
}

/** What the integrations of a client announce to it. */
function listsOf({ caller, application }: InSession): string[] {
  const subjectId = subjectIdOf(caller);
  return application.attachments.map(({ attachmentId }) =>
    rowKey(announcedTo(subjectId, attachmentId)),
  );
}

/** What the lists of a client are made of. */
function rowsOf({ caller, application }: InSession): string[] {
  const subjectId = subjectIdOf(caller);
  return [
    ...dependenciesOf(caller).map(rowKey),
    `application:${application.id}`,
    ...application.attachments.flatMap(({ integrationId }) => [
      `integration:${integrationId}`,
      `connection:${integrationId}:${subjectId}`,
    ]),
  ];
}
