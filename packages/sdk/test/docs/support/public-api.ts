import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from './generated-file.ts';

/** A declaration, or a method of a class, that programs can use. */
export interface PublicItem {
  /** `Name`, or `Class.method`. */
  readonly name: string;
  /** Relative to the package. */
  readonly file: string;
  readonly node: ts.Node;
}

/** A source file, parsed once. */
export function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known) return known;
  const text = readFileSync(packageRoot + file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  parsed.set(file, source);
  return source;
}

const parsed = new Map<string, ts.SourceFile>();

/** What Promise demands; its documentation is the platform's. */
const OF_PROMISE = ['then', 'catch', 'finally'];

/** Everything that the entries export, each class followed by its methods. */
export function publicItems(): PublicItem[] {
  return ['src/index.ts', 'src/validation.ts'].flatMap((entry) => [
    ...exportedFrom(entry),
    ...declaredIn(entry),
  ]);
}

function exportedFrom(entry: string): PublicItem[] {
  return parse(entry)
    .statements.filter(ts.isExportDeclaration)
    .flatMap((statement) => {
      const { exportClause, moduleSpecifier } = statement;
      if (!exportClause || !ts.isNamedExports(exportClause)) throw new Error('not a named export');
      if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
      const file = join(dirname(entry), moduleSpecifier.text);
      const names = exportClause.elements.map(({ name }) => name.text);
      return declaredIn(file).filter(({ name }) => names.includes(name.split('.')[0] ?? ''));
    });
}

function declaredIn(file: string): PublicItem[] {
  return parse(file).statements.flatMap((node) => {
    if (!isDeclaration(node) || !isExported(node)) return [];
    const name = node.name?.text ?? '';
    const methods = ts.isClassDeclaration(node) ? node.members.filter(isPublicMethod) : [];
    return [
      { name, file, node },
      ...methods.map((method) => ({
        name: `${name}.${method.name.getText()}`,
        file,
        node: method,
      })),
    ];
  });
}

/** Whether an item needs an example: functions and methods do, plain types do not. */
export function hasExample({ node }: PublicItem): boolean {
  return (
    ts.isClassDeclaration(node) || ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node)
  );
}

type Declaration =
  | ts.ClassDeclaration
  | ts.FunctionDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration;

function isDeclaration(node: ts.Node): node is Declaration {
  return (
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function isExported(node: Declaration): boolean {
  const modifiers = ts.getModifiers(node) ?? [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function isPublicMethod(node: ts.Node): node is ts.MethodDeclaration & { name: ts.Identifier } {
  return (
    ts.isMethodDeclaration(node) &&
    ts.isIdentifier(node.name) &&
    !OF_PROMISE.includes(node.name.text)
  );
}
