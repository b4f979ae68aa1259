import { bootstrap, type OwnerSecrets } from './bootstrap.ts';
import { signInLinkUrl } from './identity/sign-in-links.ts';
import { type Config, isLoopback } from './platform/config/config.ts';
import { runStartStep } from './platform/database/start-step.ts';
import type { Store } from './platform/database/store.ts';
import type { Logger } from './platform/logging.ts';
import { writeToStandardOutput } from './platform/standard-output.ts';

/**
 * Writes the first owner into an empty database. Where a person reads the output, it then says where the
 * service is; elsewhere the output is a log, which is kept and sent on, and gets no secret.
 *
 * @throws OperatorError when a person would not have seen the owner's token: nothing is written.
 */
export async function writeFirstOwner(store: Store, config: Config, log: Logger): Promise<void> {
  const { publicUrl, bootstrapToken, organizationName } = config;
  const isRead = isReadByPerson(config);
  const show = ({ token, signInLink }: OwnerSecrets): void =>
    writeToStandardOutput(ownerText(token, signInLinkUrl(publicUrl, signInLink)));
  const { isFirst, token } = await runStartStep(store.kind, () =>
    bootstrap(store, bootstrapToken, isRead ? show : undefined, organizationName),
  );
  if (isRead) writeToStandardOutput(welcome(publicUrl, token));
  else if (isFirst && bootstrapToken === undefined) {
    log.warn('the owner has no token yet: run gatehouse sign-in-link or gatehouse token create');
  }
}

/** At a terminal, and with the service that one person tries on their own machine (`npm start`). */
function isReadByPerson({ host, databaseUrl }: Config): boolean {
  return process.stdout.isTTY || (isLoopback(host) && databaseUrl === undefined);
}

/** Shown before anybody can use the service: the owner's token and sign-in link. */
function ownerText(ownerToken: string, signInLink: string): string {
  return `
The owner's access token, shown this once. Keep it:

  ${ownerToken}

The owner signs in as owner@localhost. To choose the password and go on in the console,
open this within 7 days:

  ${signInLink}
`;
}

/** Where the service is and, the first time, what to try next. */
function welcome(publicUrl: string, ownerToken: string | undefined): string {
  const api = `${publicUrl}/api/v1`;
  if (ownerToken === undefined) return `Gatehouse is ready at ${api}\n`;
  return `
Gatehouse is ready at ${api}

Try next:

  export GATEHOUSE_ACCESS_TOKEN=${ownerToken}
  curl ${api}/me -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN"
  curl ${api}/integrations -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"Docs","url":"https://mcp.example.com/mcp"}'

For an MCP client, make a token that can use the gateway and nothing else:

  curl ${api}/tokens -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"MCP client","scopes":["mcp"]}'

`;
}
