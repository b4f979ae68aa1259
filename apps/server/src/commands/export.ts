import { z } from 'zod';
import { loadStorage } from '../platform/config/config.ts';
import { FORCE_OPTION } from './backup.ts';
import { defineCommand } from './definition.ts';
import { PASSPHRASE_OPTION } from './passphrase.ts';
import { exportTo } from './transfer.ts';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write everything into one sealed file that `import` takes into another database.',
  details:
    'Of an embedded installation it is the same file as that of `backup`. Of PostgreSQL it holds the rows; the encryption keys stay in GATEHOUSE_ENCRYPTION_KEYS.',
  arguments: [{ name: 'file', purpose: 'The file to write.' }],
  options: [PASSPHRASE_OPTION, FORCE_OPTION],
  example: 'gatehouse export gatehouse.export',
  input: z.object({
    file: z.string().min(1),
    passphraseFile: z.string().optional(),
    force: z.boolean().optional(),
  }),
  run: (input, context) => exportTo(input, loadStorage(context.environment), context),
});
