import type { JsonObject } from './json.ts';
import type { Open } from './open.ts';

/**
 * A prompt of an integration, as a validation listed it last.
 */
export interface ListedPrompt {
  name: string;
  /** Without icons and `_meta`; `null` if it is too large to be shown. */
  definition: JsonObject | null;
  /** ISO 8601. When the server began to list it like this. */
  listedAt: string;
}

/**
 * A resource or resource template of an integration, as a validation listed it last.
 */
export interface ListedResource {
  kind: Open<'resource' | 'resource_template'>;
  /** Of a template, the URI template (RFC 6570). */
  uri: string;
  /** Without icons and `_meta`; `null` if it is too large to be shown. */
  definition: JsonObject | null;
  /** ISO 8601. When the server began to list it like this. */
  listedAt: string;
}

/**
 * A page of prompts.
 */
export interface ListedPromptPage {
  items: ListedPrompt[];
  nextCursor: string | null;
}

/**
 * A page of resources, and of templates behind them.
 */
export interface ListedResourcePage {
  items: ListedResource[];
  nextCursor: string | null;
}
