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
