import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The server's package folder, whether this module runs from `src` or bundled in `dist`. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'prisma', 'schema.prisma'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error('prisma/schema.prisma is missing from the server package. Reinstall it.');
    folder = parent;
  }
  return folder;
}

/** `prisma/migrations` of the package. */
export function migrationsDirectory(): string {
  return join(packageRoot(), 'prisma', 'migrations');
}

/** `prisma/schema.prisma` of the package. */
export function schemaFile(): string {
  return join(packageRoot(), 'prisma', 'schema.prisma');
}

/** The built files of the console; `undefined` without a build. */
export function consoleDirectory(): string | undefined {
  const folder = join(packageRoot(), 'public', 'console');
  return existsSync(folder) ? folder : undefined;
}

/** Where a build puts the site of the documentation. */
export function documentationDirectory(): string {
  return join(packageRoot(), 'public', 'docs');
}

/** The migrated, empty PGlite database that the build writes; `undefined` without a build. */
export function preparedDatabaseFile(): string | undefined {
  const file = join(packageRoot(), 'dist', 'empty-database.tar.gz');
  return existsSync(file) ? file : undefined;
}
