import { backup } from './backup.ts';
import { check } from './check.ts';
import { createCompletion } from './completion.ts';
import type { AnyCommand } from './definition.ts';
import { doctor } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { keysActivate } from './keys-activate.ts';
import { keysAdd } from './keys-add.ts';
import { keysRetire } from './keys-retire.ts';
import { keysRewrap } from './keys-rewrap.ts';
import { keysStatus } from './keys-status.ts';
import { restore } from './restore.ts';
import { signInLink } from './sign-in-link.ts';
import { tokenCreate } from './token-create.ts';

/** Every command but `serve`, in the order in which the help lists them. */
export const COMMANDS: readonly AnyCommand[] = [
  signInLink,
  tokenCreate,
  keysStatus,
  keysAdd,
  keysActivate,
  keysRewrap,
  keysRetire,
  backup,
  restore,
  exportCommand,
  importCommand,
  check,
  doctor,
  createCompletion(() => COMMANDS),
];
