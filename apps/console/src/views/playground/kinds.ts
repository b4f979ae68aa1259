import type { Kind } from './mcp/listed.ts';

export const kindLabels: Readonly<Record<Kind, string>> = {
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
};

/** One of them. */
export const kindNouns: Readonly<Record<Kind, string>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
};
