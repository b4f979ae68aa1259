import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleDirectory } from '../../platform/database/package-files.ts';

/** The fonts of the built console, as its style sheet names them. Without a build, the system's are used. */
export function fontFaces(): string {
  const folder = consoleDirectory();
  if (folder === undefined) return '';
  const assets = join(folder, 'assets');
  return readdirSync(assets)
    .filter((name) => name.endsWith('.css'))
    .flatMap((name) => readFileSync(join(assets, name), 'utf8').match(/@font-face\{[^}]*\}/g) ?? [])
    .join('\n');
}
