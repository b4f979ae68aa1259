import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

let loaded: Promise<void> | undefined;

/**
 * Prisma's schema engine on a driver adapter. The package's main entry imports the `.wasm` as a
 * module, which Node 20 does not support, so its `_bg` entry is used and the module instantiated
 * here. The caller must call `free` and close the adapter's connections.
 */
export async function schemaEngine(
  factory: SqlMigrationAwareDriverAdapterFactory,
  schema?: string,
): Promise<bindings.SchemaEngine> {
  loaded ??= instantiate();
  await loaded;
  return bindings.SchemaEngine.new(
    { datamodels: schema === undefined ? undefined : [['schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(factory),
  );
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
