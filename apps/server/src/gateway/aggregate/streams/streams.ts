import { isTokenExpired, subjectIdOf } from '../../../identity/caller.ts';
import type { ChangeSet, Changes } from '../../../platform/changes/changes.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import type { OpenStreams } from '../../open-streams.ts';
import type { InSession } from '../client-call.ts';
import { ChangedRows } from './changed-rows.ts';
import type { MergedStream } from './merged-stream.ts';

export interface AggregateStreamsOptions {
  readonly openStreams: Pick<OpenStreams, 'enter'>;
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
  /** Streams into which those of integrations are being merged, and whether something has changed since. */
  readonly #joining = new Map<MergedStream, boolean>();
  #readmissions = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;

  constructor(options: AggregateStreamsOptions) {
    this.#options = options;
    this.#unsubscribe = options.changes.subscribe({ react: (changes) => this.#react(changes) });
    this.#timer = setInterval(() => this.#tick(), TICK);
    this.#timer.unref();
  }

  /** @throws ProblemError `rate_limited` */
  async open(stream: MergedStream): Promise<void> {
    const { caller, session } = stream.client;
    const leave = this.#options.openStreams.enter(caller, session);
    this.#open.add(stream);
    stream.start(() => {
      this.#open.delete(stream);
      leave();
    });
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
    const changed = changes === 'everything' ? undefined : new ChangedRows(changes);
    for (const stream of [...this.#open]) {
      const { client } = stream;
      const hasAccessChanged = changed?.areOfAccess(client) ?? true;
      // Once every node knows of it: the client may have read from another node before.
      if (hasAccessChanged || changed?.areOfLists(client)) stream.noteListChanges();
      // Its session has ended, or one behind it has begun.
      const id = client.session?.id;
      const hasSessionChanged = id !== undefined && changed?.has({ kind: 'session', id });
      if (hasAccessChanged || hasSessionChanged) this.#followAgain(stream);
    }
  }

  #followAgain(stream: MergedStream): void {
    this.#readmit(stream).catch(this.#options.onError);
  }

  async #readmit(stream: MergedStream): Promise<void> {
    this.#readmissions += 1;
    const turn = this.#readmissions;
    try {
      const client = await this.#options.readmit(stream.client);
      if (!stream.replaceClient(client, turn)) return;
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code === 'database_unavailable') throw error;
      stream.end(false);
      return;
    }
    await this.#joinAll(stream);
  }

  /** Once more if something changes meanwhile: what had not begun may have begun by then. */
  async #joinAll(stream: MergedStream): Promise<void> {
    if (this.#joining.has(stream)) {
      this.#joining.set(stream, true);
      return;
    }
    try {
      do {
        this.#joining.set(stream, false);
        const { attachments } = stream.client.application;
        await Promise.all(attachments.map((attachment) => stream.join(attachment)));
      } while (this.#joining.get(stream) === true && !stream.hasEnded);
    } finally {
      this.#joining.delete(stream);
    }
  }
}
