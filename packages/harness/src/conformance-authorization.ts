import { type ConformanceRun, runConformanceTool } from './conformance-tool.ts';

/** Options of {@link runAuthorizationConformance}. */
export interface AuthorizationConformanceOptions {
  /** The issuer under test. */
  readonly issuer: string;
  /** A public client: the tool sends no secret to a server that also takes clients without one. */
  readonly clientId: string;
  /** The MCP server that the token is for (RFC 8707). */
  readonly resource: string;
  /** On which the tool listens: the client has the redirect URI `http://127.0.0.1:<port>/callback`. */
  readonly port: number;
  /** Does in a browser what the person does at the authorization URL, up to the redirect URI. */
  readonly visit: (authorizationUrl: string) => Promise<unknown>;
}

/** Runs the authorization server scenarios of the official conformance tool. */
export async function runAuthorizationConformance(
  options: AuthorizationConformanceOptions,
): Promise<ConformanceRun> {
  const { issuer, clientId, resource, port, visit } = options;
  const visits: Promise<unknown>[] = [];
  const run = await runConformanceTool({
    tool: '0.2.0-alpha.12',
    args: [
      'authorization',
      ...['--url', issuer, '--client-id', clientId],
      ...['--resource', resource, '--port', String(port)],
    ],
    folderPrefix: 'authorization-server-',
    onLine: (line) => {
      if (/^https?:\S+[?&]response_type=code&/.test(line)) visits.push(visit(line));
    },
  });
  await Promise.all(visits);
  return run;
}
