// node scripts/migration-new.mjs <name>: writes the migration from the existing ones to the present Prisma schema.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSource } from './lib/load-source.mjs';

const server = fileURLToPath(new URL('../apps/server/', import.meta.url));
const name = process.argv[2];
if (!/^[a-z][a-z0-9_]*$/.test(name ?? '')) {
  console.error('Usage: node scripts/migration-new.mjs <name_in_snake_case>');
  process.exit(1);
}

const database = join(server, 'src/platform/database');
const { diffMigrations } = await loadSource(join(server, 'test/support/schema-engine.ts'));
const { openPglite } = await loadSource(join(database, 'pglite.ts'));

const migrations = join(server, 'prisma/migrations');
const schema = join(server, 'prisma/schema.prisma');
const sql = await diffMigrations(await openPglite({}), migrations, schema);
if (sql === '') {
  console.log('The migrations already match the schema.');
  process.exit(0);
}

const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
const folder = join(migrations, `${stamp}_${name}`);
mkdirSync(folder);
writeFileSync(join(folder, 'migration.sql'), sql);
console.log(`Wrote ${folder}/migration.sql. Read it before committing it.`);
