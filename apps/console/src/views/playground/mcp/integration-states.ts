import { isJsonObject, type JsonObject } from '@gatehouse/contract';

/** How each integration was when a list of the one URL was made, by its id. */
export type StatesById = ReadonlyMap<string, string>;

/** What a list of the one URL says of the integrations behind it. */
export function statesIn({ _meta: meta }: JsonObject): StatesById {
  const states = isJsonObject(meta) ? meta['gatehouse/integrations'] : undefined;
  return new Map(
    (Array.isArray(states) ? states : []).flatMap((entry): [string, string][] => {
      if (!isJsonObject(entry)) return [];
      const { id, state } = entry;
      return typeof id === 'string' && typeof state === 'string' ? [[id, state]] : [];
    }),
  );
}
