import manifest from '../../package.json' with { type: 'json' };

/**
 * Names this package where the runtime sends no `User-Agent`: where there is a `process`. A browser
 * sends its own, and would ask the service for permission to send another (CORS).
 */
export function userAgent(): Readonly<Record<string, string>> {
  return 'process' in globalThis ? { 'user-agent': `gatehouse-sdk/${manifest.version}` } : {};
}
