import { dependenciesOf, subjectIdOf } from '../../../identity/caller.ts';
import { type Change, rowKey } from '../../../platform/changes/changes.ts';
import type { AggregateApplication } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import { announcedTo } from '../lists/lists.ts';

type Client = Pick<InSession, 'caller' | 'application'>;

/**
 * Which clients a set of changes concerns. There may be many streams, and an application has many rows: they are looked
 * through once for each application, and for those people alone that something of has changed.
 */
export class ChangedRows {
  readonly #keys: ReadonlySet<string>;
  /** People of whom a connection has changed, or to whom changed lists were announced. */
  readonly #subjectIds: ReadonlySet<string>;
  readonly #applications = new Map<AggregateApplication, boolean>();

  constructor(changes: readonly Change[]) {
    const ofPeople = changes.filter(({ kind }) => kind === 'connection' || kind === 'lists');
    this.#keys = new Set(changes.map(rowKey));
    this.#subjectIds = new Set(ofPeople.map(({ id }) => id.slice(id.lastIndexOf(':') + 1)));
  }

  has(change: Change): boolean {
    return this.#keys.has(rowKey(change));
  }

  /** Whether the client may have other integrations now, or may not be let in any more. */
  areOfAccess({ caller, application }: Client): boolean {
    const subjectId = subjectIdOf(caller);
    return (
      dependenciesOf(caller).some((row) => this.has(row)) ||
      this.#isChanged(application) ||
      (this.#subjectIds.has(subjectId) &&
        application.integrationIds.some((id) =>
          this.has({ kind: 'connection', id: `${id}:${subjectId}` }),
        ))
    );
  }

  /** Whether an integration has announced to the client's person that its lists have changed. */
  areOfLists({ caller, application }: Client): boolean {
    const subjectId = subjectIdOf(caller);
    return (
      this.#subjectIds.has(subjectId) &&
      application.attachments.some(({ attachmentId }) =>
        this.has(announcedTo(subjectId, attachmentId)),
      )
    );
  }

  #isChanged(application: AggregateApplication): boolean {
    const known = this.#applications.get(application);
    if (known !== undefined) return known;
    const isChanged =
      this.has({ kind: 'application', id: application.id }) ||
      application.integrationIds.some((id) => this.has({ kind: 'integration', id }));
    this.#applications.set(application, isChanged);
    return isChanged;
  }
}
