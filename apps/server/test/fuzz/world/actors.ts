import type { Route } from '@gatehouse/contract';
import type { FuzzOperation } from '../operations.ts';
import type { ActorChoice } from '../plans/plan.ts';
import { type Actor, isAdmin } from './entity.ts';
import { pickOf } from './pool.ts';
import type { World } from './world.ts';

/** The caller of a plan; `undefined` for one without anyone's token. */
export function chooseActor(
  world: World,
  operation: FuzzOperation,
  { who, pick }: ActorChoice,
): Actor | undefined {
  const everybody = world.actors.values.map((actor) => withPresentRole(world, actor));
  const base = everybody.filter(({ isBase }) => isBase);
  const mayCall = (actor: Actor) => isFitting(operation.route, actor);
  switch (who) {
    case 'fitting':
      // Most calls come from the same few, so that rows of one caller add up.
      return pickOf(pick % 3 === 0 ? everybody.filter(mayCall) : base.filter(mayCall), pick >> 2);
    case 'base':
      return pickOf(base, pick);
    case 'any':
      return pickOf(everybody, pick);
    default:
      return undefined;
  }
}

function isFitting({ access, method }: Route, actor: Actor): boolean {
  if (access === 'public') return true;
  if (actor.kind === 'invitation') return access === 'account';
  if (access === 'admin' && !isAdmin(actor)) return false;
  const scope = method === 'GET' ? 'management:read' : 'management:write';
  return actor.scopes.includes('management:write') || actor.scopes.includes(scope);
}

/** A member's role may have been changed since the token was made. */
function withPresentRole(world: World, actor: Actor): Actor {
  const role = world.entities('member').get(actor.userId)?.role ?? actor.role;
  return role === actor.role ? actor : { ...actor, role };
}
