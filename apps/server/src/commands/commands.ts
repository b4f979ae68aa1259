import type { AnyCommand } from './definition.ts';
import { signInLink } from './sign-in-link.ts';

/** Every command but `serve`, in the order in which the help lists them. */
export const COMMANDS: readonly AnyCommand[] = [signInLink];
