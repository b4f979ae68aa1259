import type { EventActor, EventRequest } from '@gatehouse/contract';

/** Who acts, and by what means: every write, log line and event that names an actor takes one of these. */
export type Actor = EventActor;

/** A member: by a personal token, an invitation, a grant, a browser session or a sign-in. */
export type PersonActor = Extract<Actor, { readonly kind: 'person' }>;

/** An application that acts for itself (RFC 6749 section 4.4). */
export type ApplicationActor = Extract<Actor, { readonly kind: 'application' }>;

/** The means by which a person acts. */
export type Via<Kind extends PersonActor['via']['kind']> = Extract<
  PersonActor['via'],
  { readonly kind: Kind }
>;

type JobName = Extract<Actor, { readonly kind: 'service' }>['via']['name'];

/** A person who is signing in. */
export function signingIn(
  organizationId: string,
  userId: string,
  request?: EventRequest,
): PersonActor {
  return { kind: 'person', organizationId, userId, via: { kind: 'sign_in' }, request };
}

/** A person at the server. @param command its name, such as `token create` */
export function operator(organizationId: string, command: string): Actor {
  return { kind: 'operator', organizationId, via: { kind: 'command', name: command } };
}

/** The same person, for every organization. @param command its name, such as `keys retire` */
export function operatorBy(command: string): (organizationId: string) => Actor {
  return (organizationId) => operator(organizationId, command);
}

/** Gatehouse itself. */
export function service(organizationId: string, job: JobName): Actor {
  return { kind: 'service', organizationId, via: { kind: 'job', name: job } };
}
