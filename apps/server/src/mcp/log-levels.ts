/** RFC 5424 section 6.2.1, in the words of MCP, the most verbose first. */
const LOG_LEVELS: readonly unknown[] = [
  ...['debug', 'info', 'notice', 'warning'],
  ...['error', 'critical', 'alert', 'emergency'],
];

export function isLogLevel(level: unknown): level is string {
  return LOG_LEVELS.includes(level);
}

/** Whether who has named a level hears messages of another one. An unknown one is heard. */
export function isHeard(level: string, named: string): boolean {
  return !isLogLevel(level) || LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(named);
}
