import { auditExport, auditKey, auditNewKey, auditVerify } from './audit.ts';
import { backup, exportCommand } from './backup.ts';
import { check, doctor } from './check.ts';
import type { AnyCommand } from './definition.ts';
import { keysActivate, keysAdd, keysRetire, keysRewrap, keysStatus } from './keys.ts';
import { signInLink, tokenCreate } from './recovery.ts';
import { importCommand, restore } from './restore.ts';
import { versionCommand } from './version.ts';

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
  auditExport,
  auditVerify,
  auditKey,
  auditNewKey,
  check,
  doctor,
  versionCommand,
];
