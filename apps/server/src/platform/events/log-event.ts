import type { EventActor, ManagementEvent } from '@gatehouse/contract';
import type { Logger } from '../logging.ts';

/** One line for an event. It names the changed fields without their values, or the tools. */
export function logEvent(log: Logger, event: ManagementEvent): void {
  const { action, targetId, actor } = event;
  const changed = changedFieldsOf(event);
  const { via, viaId, userId, applicationId } = namesOf(actor);
  log.info(
    { action, targetId, actor: actor.kind, userId, applicationId, via, viaId, changed },
    'management event',
  );
}

interface ActorNames {
  readonly via: EventActor['via']['kind'];
  /** The id of a token, grant or browser session; the name of a command or job. */
  readonly viaId?: string;
  readonly userId?: string;
  readonly applicationId?: string;
}

function namesOf(actor: EventActor): ActorNames {
  switch (actor.kind) {
    case 'person': {
      const { via, userId } = actor;
      return {
        via: via.kind,
        userId,
        ...('id' in via ? { viaId: via.id } : {}),
        ...('applicationId' in via ? { applicationId: via.applicationId } : {}),
      };
    }
    case 'application':
      return { via: actor.via.kind, applicationId: actor.applicationId };
    case 'unknown':
      return { via: actor.via.kind };
    case 'operator':
    case 'service':
      return { via: actor.via.kind, viaId: actor.via.name };
  }
}

function changedFieldsOf(event: ManagementEvent): readonly string[] | undefined {
  if ('tools' in event) return event.tools.map(({ name }) => name);
  return 'changes' in event ? event.changes.map(({ field }) => field) : undefined;
}
