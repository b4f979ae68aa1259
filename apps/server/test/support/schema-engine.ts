import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { readMigrations } from '../../src/platform/database/migrate.ts';
import { pgliteAdapter } from '../../src/platform/database/pglite-adapter.ts';

/** The part of WebAssembly used here; neither ES2023 nor @types/node 20 declares it. */
declare namespace WebAssembly {
  type ModuleImports = Record<string, unknown>;
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  function instantiate(
    bytes: Uint8Array,
    imports: Record<string, ModuleImports>,
  ): Promise<{ readonly instance: Instance }>;
}

const NO_FILTERS = { externalTables: [], externalEnums: [] };

let loaded: Promise<void> | undefined;

/**
 * Prisma's schema engine on PGlite, of which `prisma migrate` is the command line. The package's main
 * entry imports the `.wasm` as a module, which Node 20 does not support, so its `_bg` entry is used and
 * the module instantiated here. The caller must call `free`.
 */
async function schemaEngine(database: PGlite, schema?: string): Promise<bindings.SchemaEngine> {
  loaded ??= instantiate();
  await loaded;
  const adapter = pgliteAdapter(database);
  const connect = async () =>
    // The adapter's own executeScript does not await.
    Object.assign(await adapter.connect(), {
      executeScript: async (script: string) => void (await database.exec(script)),
    });
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    ...adapter,
    connect,
    connectToShadowDb: connect,
  };
  return bindings.SchemaEngine.new(
    { datamodels: schema === undefined ? undefined : [['schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

/** What `prisma migrate deploy` does. @returns the names of the migrations that were applied */
export async function applyWithPrisma(database: PGlite, directory: string): Promise<string[]> {
  const engine = await schemaEngine(database);
  try {
    const input = { migrationsList: migrationList(directory), filters: NO_FILTERS };
    return (await engine.applyMigrations(input)).appliedMigrationNames;
  } finally {
    engine.free();
  }
}

/** What `prisma migrate status` finds wrong. */
export async function diagnoseWithPrisma(database: PGlite, directory: string) {
  const engine = await schemaEngine(database);
  try {
    return await engine.diagnoseMigrationHistory({
      migrationsList: migrationList(directory),
      filters: NO_FILTERS,
      optInToShadowDatabase: false,
    });
  } finally {
    engine.free();
  }
}

/**
 * What `prisma migrate diff` prints: the SQL of the migration that is missing between the migrations in
 * `directory` and the Prisma schema file `schema`; an empty string when there is nothing to do. The
 * comparison applies the migrations to `database`, which must be empty.
 */
export async function diffMigrations(
  database: PGlite,
  directory: string,
  schema: string,
): Promise<string> {
  const content = await readFile(schema, 'utf8');
  const engine = await schemaEngine(database, content);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...migrationList(directory) },
      to: { tag: 'schemaDatamodel', files: [{ path: schema, content }] },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    });
    const sql = stdout ?? '';
    return sql.includes('This is an empty migration') ? '' : sql;
  } finally {
    engine.free();
  }
}

function migrationList(directory: string): bindings.MigrationList {
  return {
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations(directory).map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

async function instantiate(): Promise<void> {
  const entry = import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(fileURLToPath(new URL('schema_engine_bg.wasm', entry)));
  const { instance } = await WebAssembly.instantiate(wasm, {
    './schema_engine_bg.js': bindings as unknown as WebAssembly.ModuleImports,
  });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== 'function') throw new Error('The schema engine has no start function.');
  start();
}
