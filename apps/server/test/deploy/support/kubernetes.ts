import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { deployFile } from './deploy-file.ts';

/** One object of a manifest file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

interface Model {
  new (fields: object): { validate(): void };
}

const MANIFEST = 'kubernetes-models/package.json';
/** From where the package is, and not from the link to it: what it requires is beside it. */
const require = createRequire(
  realpathSync.native(createRequire(import.meta.url).resolve(MANIFEST)),
);

/** The objects of a file in `deploy`. @throws what the YAML parser finds, duplicate keys included. */
export function manifestsIn(name: string): Manifest[] {
  const text = readFileSync(deployFile(name), 'utf8');
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/**
 * What Kubernetes would refuse of these objects: values by its schemas, and names of fields by its types, because
 * the schemas leave room for more.
 */
export function faultsOf(manifests: readonly Manifest[]): string[] {
  return [...manifests.flatMap(wrongValues), ...unknownFields(manifests)];
}

function wrongValues({ apiVersion, kind, ...fields }: Manifest): string[] {
  try {
    const models = require(`./${apiVersion}`) as Record<string, Model | undefined>;
    const model = models[kind];
    if (model === undefined) return [`${apiVersion} has no ${kind}`];
    new model(fields).validate();
    return [];
  } catch (error) {
    return [`${kind}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Compiles the objects as literals of their types: of a literal TypeScript refuses fields that the type lacks. */
function unknownFields(manifests: readonly Manifest[]): string[] {
  const source = manifests
    .map(
      ({ apiVersion, kind, ...fields }, index) =>
        `import { I${kind} as T${index} } from 'kubernetes-models/${apiVersion}';\n` +
        `export const m${index}: Omit<T${index}, 'apiVersion' | 'kind'> = ${JSON.stringify(fields)};\n`,
    )
    .join('');
  const file = new URL('manifests.virtual.ts', import.meta.url).pathname;
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, rest[0]) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
