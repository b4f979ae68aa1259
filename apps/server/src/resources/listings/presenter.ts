import type { ListedPrompt, ListedResource } from '@gatehouse/contract';
import { definitionIn } from '../definition-text.ts';
import type { ListedRow } from './repository.ts';

export function presentPrompt({ key, definition, listedAt }: ListedRow): ListedPrompt {
  return {
    name: key,
    definition: definitionIn(definition),
    listedAt: listedAt.toISOString(),
  };
}

export function presentResource({ kind, key, definition, listedAt }: ListedRow): ListedResource {
  return {
    kind: kind === 'resource_template' ? kind : 'resource',
    uri: key,
    definition: definitionIn(definition),
    listedAt: listedAt.toISOString(),
  };
}
