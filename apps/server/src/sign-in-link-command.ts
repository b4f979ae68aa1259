import { CommandError, sendCommand } from './control/send-command.ts';
import { loadDataDir } from './platform/config/config.ts';

/** `gatehouse sign-in-link <email>`: prints a link, or one sentence that says why there is none, and exits 1. */
export async function runSignInLink(environment: NodeJS.ProcessEnv, email: string): Promise<void> {
  try {
    const reply = await sendCommand(loadDataDir(environment), { command: 'sign-in-link', email });
    if ('error' in reply) throw new CommandError(reply.error);
    const { url, expiresAt } = reply;
    process.stdout.write(`${url}\n\nIt signs in once, until ${expiresAt}.\n`);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
