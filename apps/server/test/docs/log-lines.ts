import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { root } from './pages.ts';

/** One place in the sources that writes to the log. */
export interface LogLine {
  readonly level: string;
  /** Undefined when it is made at run time. */
  readonly message: string | undefined;
  /** As far as they are written where the line is. */
  readonly fields: readonly string[];
}

const LEVELS = new Set(['fatal', 'error', 'warn', 'info', 'debug', 'trace']);

/** Every line that the server can log, as its sources have them. */
export function logLines(): LogLine[] {
  const src = new URL('apps/server/src/', root);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
    .flatMap((name) => {
      const text = readFileSync(new URL(name, src), 'utf8');
      return linesIn(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true));
    });
}

function linesIn(file: ts.SourceFile): LogLine[] {
  const found: LogLine[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const isLog = /(^|[.#])(log|lines)$/.test(expression.getText());
      if (isLog && LEVELS.has(name.text)) found.push(lineOf(file, name.text, node));
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function lineOf(file: ts.SourceFile, level: string, { arguments: given }: ts.CallExpression) {
  const message = given.at(-1);
  const [fields] = given.length > 1 ? given : [];
  const isLiteral = message !== undefined && ts.isStringLiteralLike(message);
  return {
    level,
    message: isLiteral ? message.text : undefined,
    fields: fields === undefined ? [] : fieldsOf(file, fields),
  };
}

/** The names of an object's properties, those of what is spread into it included. */
function fieldsOf(file: ts.SourceFile, node: ts.Node): string[] {
  if (ts.isIdentifier(node)) {
    const declared = declarationOf(file, node.text);
    return declared === undefined ? [] : fieldsOf(file, declared);
  }
  if (!ts.isObjectLiteralExpression(node)) {
    const inner: string[] = [];
    node.forEachChild((child) => {
      if (!ts.isIdentifier(child)) inner.push(...fieldsOf(file, child));
    });
    return inner;
  }
  return node.properties.flatMap((property) =>
    ts.isSpreadAssignment(property)
      ? fieldsOf(file, property.expression)
      : [property.name.getText()],
  );
}

/** The object that a constant of the file is. */
function declarationOf(file: ts.SourceFile, name: string): ts.Node | undefined {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    const isIt = ts.isVariableDeclaration(node) && node.name.getText() === name;
    if (isIt && node.initializer && ts.isObjectLiteralExpression(node.initializer)) {
      found = node.initializer;
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}
