import type { FuzzOperation } from '../operations.ts';
import type { Actor, Entity } from '../world/entity.ts';
import { pickOf } from '../world/pool.ts';
import { isSuited, kindOf } from '../world/suited.ts';
import type { World } from '../world/world.ts';
import type { IdChoice, Plan } from './plan.ts';

/** The path parameters of a plan, in the order of the path. */
export function chooseIds(
  world: World,
  operation: FuzzOperation,
  { ids }: Plan,
  actor: Actor | undefined,
): string[] {
  let session: Entity | undefined;
  if (operation.params.includes('sessionId') && ids[1]) {
    session = chooseEntity(world, operation, 'sessionId', ids[1], actor);
  }
  return operation.params.map((param, index) => {
    const choice = ids[index];
    if (!choice) throw new Error(`The plan of ${operation.id} chooses no ${param}.`);
    const chosen =
      param === 'sessionId' ? session : chooseEntity(world, operation, param, choice, actor);
    const isOfSession = param === 'id' && choice.what === 'suited' && session !== undefined;
    const id = (isOfSession ? session?.applicationId : chosen?.id) ?? unknownId(choice.pick);
    return choice.isUpperCase ? id.toUpperCase() : id;
  });
}

function chooseEntity(
  world: World,
  { id: operation }: FuzzOperation,
  param: string,
  { what, pick }: IdChoice,
  actor: Actor | undefined,
): Entity | undefined {
  const kind = kindOf(operation, param);
  const all = world.entities(kind).values.filter(({ isProtected }) => !isProtected);
  const known = kind === 'member' || kind === 'token' ? all : world.entities(kind).values;
  const own = known.filter(({ organization }) => organization === actor?.organization);
  switch (what) {
    case 'suited': {
      const suited = actor ? own.filter((row) => isSuited(operation, param, row, actor)) : own;
      return pickOf(suited, pick) ?? pickOf(own, pick);
    }
    case 'any':
      return pickOf(own, pick);
    case 'foreign':
      return pickOf(
        world.entities(kind).values.filter((row) => row.organization !== actor?.organization),
        pick,
      );
    case 'other kind':
      return pickOf(
        world.entities(kind === 'integration' ? 'application' : 'integration').values,
        pick,
      );
    case 'unknown':
      return undefined;
  }
}

/** An id that nothing has. */
export function unknownId(pick: number): string {
  return `0190a000-0000-7000-8000-${String(pick).padStart(12, '0')}`;
}
