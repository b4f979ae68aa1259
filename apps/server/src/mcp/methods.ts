/**
 * The methods with which a client begins a request or a notification, of both eras (MCP 2025-11-25, with those that
 * earlier versions had, and 2026-07-28).
 */
export const mcpMethods = [
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tasks/cancel',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
] as const;

export type McpMethod = (typeof mcpMethods)[number];

const METHODS: ReadonlyMap<string, McpMethod> = new Map(mcpMethods.map((name) => [name, name]));

/** Undefined for a method that is not in the list. */
export function mcpMethodOf(method: string): McpMethod | undefined {
  return METHODS.get(method);
}

/** The lists of MCP, by their keys in a result. */
export const mcpLists = {
  tools: { method: 'tools/list', capability: 'tools', kind: 'tool', identifier: 'name' },
  prompts: { method: 'prompts/list', capability: 'prompts', kind: 'prompt', identifier: 'name' },
  resources: {
    method: 'resources/list',
    capability: 'resources',
    kind: 'resource',
    identifier: 'uri',
  },
  resourceTemplates: {
    method: 'resources/templates/list',
    capability: 'resources',
    kind: 'resource_template',
    identifier: 'uriTemplate',
  },
} as const;

export type ListKey = keyof typeof mcpLists;

export const listKeys = Object.keys(mcpLists) as readonly ListKey[];

const KEYS: ReadonlyMap<string, ListKey> = new Map(
  listKeys.map((key) => [mcpLists[key].method, key]),
);

/** Undefined for a method that returns no list. */
export function listKeyOf(method: string): ListKey | undefined {
  return KEYS.get(method);
}
