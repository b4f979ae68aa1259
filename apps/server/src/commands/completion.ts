import { z } from 'zod';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { completionsOf } from './completion/tree.ts';
import { zshScript } from './completion/zsh.ts';
import { type AnyCommand, defineCommand } from './definition.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** @param commands every command, this one too */
export function createCompletion(commands: () => readonly AnyCommand[]): AnyCommand {
  return defineCommand({
    name: 'completion',
    summary: 'Print a script that completes commands and options in bash, zsh or fish.',
    details: `bash: source <(gatehouse completion bash)
zsh:  source <(gatehouse completion zsh), after compinit
fish: gatehouse completion fish | source`,
    arguments: [{ name: 'shell', purpose: 'bash, zsh or fish.' }],
    example: 'gatehouse completion bash',
    input: z.object({ shell: z.enum(SHELLS, 'completion takes bash, zsh or fish.') }),
    async run({ shell }) {
      const script = SCRIPTS[shell](completionsOf(commands()));
      return { json: { shell, script }, text: script };
    },
  });
}
