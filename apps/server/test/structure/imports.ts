import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** One import of a file, in whatever way it is written. */
export interface Import {
  /** Relative to the directory that was read. */
  readonly file: string;
  /** As it is written; `(computed)` where it is not a plain string. */
  readonly specifier: string;
  /** What a relative specifier leads to, relative to the directory that was read. */
  readonly target: string | undefined;
  /** Names taken as values: `*` for the whole module, empty where only types are taken. */
  readonly values: readonly string[];
  /** By `import()` or `require()`: loaded when that line runs. */
  readonly isByNeed: boolean;
}

/** A whole module: its namespace, its default export, or that it is run. */
const WHOLE = ['*'];

/** The TypeScript files below a directory, or others, by how their names end; what is generated or built is left out. */
export function filesIn(directory: string, ending = /\.ts$/): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(^|\/)(dist|generated|node_modules)\//.test(name))
    .sort()
    .map((name) => join(directory, name));
}

/** Every import of the TypeScript files below a directory, or of files with another suffix. */
export function importsWithin(directory: string, ending?: RegExp): Import[] {
  return filesIn(directory, ending).flatMap((path) => importsOf(path, directory));
}

/** `@scope/name` or `name`, also of an import that goes on into the package. */
export function packageOf(specifier: string): string {
  const parts = specifier.startsWith('@') ? 2 : 1;
  return specifier.split('/').slice(0, parts).join('/');
}

/** Imports, re-exports, side effects, `import()`, `require()`, and types by `import('…')`. */
function importsOf(path: string, directory: string): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node | undefined, values: readonly string[], isByNeed = false) => {
    const isText = node !== undefined && ts.isStringLiteralLike(node);
    const specifier = isText ? node.text : '(computed)';
    const isRelative = specifier.startsWith('.');
    found.push({
      file: relative(directory, path),
      specifier,
      target: isRelative ? relative(directory, resolve(dirname(path), specifier)) : undefined,
      values,
      isByNeed,
    });
  };
  visit(parse(path), (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, valuesImported(node.importClause));
    else if (ts.isExportDeclaration(node)) {
      if (node.moduleSpecifier !== undefined) add(node.moduleSpecifier, valuesExported(node));
    } else if (ts.isExternalModuleReference(node)) add(node.expression, WHOLE);
    else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, []);
    } else if (ts.isCallExpression(node) && isLoader(node.expression)) {
      add(node.arguments[0], WHOLE, true);
    }
  });
  return found;
}

function isLoader(called: ts.Expression): boolean {
  if (called.kind === ts.SyntaxKind.ImportKeyword) return true;
  return ts.isIdentifier(called) && called.text === 'require';
}

function valuesImported(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined) return WHOLE;
  if (clause.isTypeOnly) return [];
  const { namedBindings } = clause;
  const hasWhole =
    clause.name !== undefined ||
    (namedBindings !== undefined && ts.isNamespaceImport(namedBindings));
  const named =
    namedBindings !== undefined && ts.isNamedImports(namedBindings)
      ? valuesNamed(namedBindings.elements)
      : [];
  return hasWhole ? [...WHOLE, ...named] : named;
}

function valuesExported({ isTypeOnly, exportClause }: ts.ExportDeclaration): readonly string[] {
  if (isTypeOnly) return [];
  if (exportClause === undefined || ts.isNamespaceExport(exportClause)) return WHOLE;
  return valuesNamed(exportClause.elements);
}

function valuesNamed(elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]): string[] {
  return elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ propertyName, name }) => (propertyName ?? name).text);
}

/** Which files below a directory use one of these global functions, whether called or handed on. */
export function usersOfGlobals(directory: string, names: readonly string[]): string[] {
  return filesIn(directory)
    .filter((path) => usesGlobal(path, names))
    .map((path) => relative(directory, path));
}

function usesGlobal(path: string, names: readonly string[]): boolean {
  let isUsed = false;
  visit(parse(path), (node) => {
    if (ts.isIdentifier(node) && names.includes(node.text) && isGlobal(node)) isUsed = true;
  });
  return isUsed;
}

/** Not the name of a member or type, and not a parameter of the function it stands in. */
function isGlobal(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPartOfTypeNode(node) || ts.isTypeElement(parent) || ts.isTypeNode(parent)) return false;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return /^(globalThis|global|self)$/.test(parent.expression.getText());
  }
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  return ts.findAncestor(node, (outer) => isParameterOf(outer, node.text)) === undefined;
}

function isParameterOf(node: ts.Node, name: string): boolean {
  if (ts.isParameter(node)) return node.name.getText() === name;
  if (!ts.isFunctionLike(node)) return false;
  return node.parameters.some((parameter) => parameter.name.getText() === name);
}

const parsed = new Map<string, ts.SourceFile>();

function parse(path: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  parsed.set(path, source);
  return source;
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  node.forEachChild((child) => visit(child, look));
}
