export { concernedIdsOf } from './concerned-ids.ts';
export { type EventActor, type EventRequest, eventActorSchema } from './event-actor.schema.ts';
export {
  type EventDetails,
  type ManagementAction,
  type ManagementEvent,
  managementEventSchema,
} from './events.schema.ts';
export {
  actorIdOf,
  type NamesById,
  namedIdOf,
  presentEvent,
} from './present-event.ts';
