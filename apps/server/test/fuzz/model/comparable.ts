import { isJsonObject } from '@gatehouse/contract';
import { type OperationId, operations } from '../operations.ts';
import type { Mutation } from '../plans/mutation.ts';
import type { Plan } from '../plans/plan.ts';

/** What the mocks answer in their own way (see the README of `@gatehouse/mocks`). */
const OTHERWISE: ReadonlySet<OperationId> = new Set([
  'integrations.discover',
  'integrations.validate',
  'connections.test',
  'auditEvents.list',
  'auditEvents.export',
  'auditEvents.get',
  'installation.get',
  'openapi.get',
]);

/** The operations on which server and mock must agree. */
export const comparable = operations.filter(({ id }) => !OTHERWISE.has(id));

/** The plan without what MSW or `Request` would change or refuse before the mock sees it. */
export function asComparable(plan: Plan): Plan {
  const isCleartext = plan.actor.who !== 'no bearer' && plan.actor.who !== 'guessing';
  return {
    ...plan,
    isTwin: false,
    actor: isCleartext ? plan.actor : { who: 'nobody', pick: plan.actor.pick },
    mutations: plan.mutations.filter((mutation) => isComparable(mutation, plan.body)),
  };
}

function isComparable(mutation: Mutation, body: unknown): boolean {
  switch (mutation.on) {
    case 'host':
    case 'query text':
      return false;
    case 'bytes':
      return mutation.kind !== 'chunked';
    case 'header':
      return mutation.name !== 'origin' && mutation.name !== 'authorization' && isPlain(mutation);
    case 'query':
      return !JSON.stringify(mutation).includes('%');
    case 'path':
      return !hasDotSegment(mutation.text);
    case 'field':
    case 'unknown field':
      // Only the server reads all of JSON Schema.
      return !hasField(body, 'credentialSchema') && !hasField(body, 'fields');
    default:
      return true;
  }
}

/** `Request` takes them out of a path (WHATWG URL, path state). */
function hasDotSegment(text: string): boolean {
  const segments = text.replaceAll(/%2e/gi, '.').split(/[\\/]/);
  return segments.some((segment) => segment === '.' || segment === '..');
}

/** `Headers` trims values, and refuses what is not Latin-1. */
function isPlain({ values }: Extract<Mutation, { on: 'header' }>): boolean {
  return values.every((value) => /^[!-~](?:[ -~]*[!-~])?$/.test(value));
}

function hasField(body: unknown, name: string): boolean {
  return isJsonObject(body) && Object.hasOwn(body, name);
}
