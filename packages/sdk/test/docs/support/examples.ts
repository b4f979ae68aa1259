import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { packageRoot } from './generated-file.ts';
import type { PublicItem } from './public-api.ts';

const FOLDER = 'src/examples/';

/** The compiled examples by the name of what they show. */
export function readExamples(): Map<string, string> {
  const examples = new Map<string, string>();
  for (const file of readdirSync(packageRoot + FOLDER)) {
    const text = readFileSync(packageRoot + FOLDER + file, 'utf8');
    for (const [, name = '', code = ''] of text.matchAll(REGION)) {
      if (examples.has(name)) throw new Error(`${file} shows ${name} a second time`);
      examples.set(name, dedent(code));
    }
  }
  return examples;
}

const REGION = /^ *\/\/#region (\S+)\n(.*?)^ *\/\/#endregion$/gms;

function dedent(code: string): string {
  const lines = code.trimEnd().split('\n');
  const indents = lines.filter((line) => line !== '').map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n');
}

/** The text of a file with every documentation comment ending in its example. */
export function withExamples(
  source: ts.SourceFile,
  items: readonly PublicItem[],
  examples: ReadonlyMap<string, string>,
): string {
  let text = source.text;
  const lastFirst = [...items].sort((a, b) => b.node.pos - a.node.pos);
  for (const { name, node } of lastFirst) {
    const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc);
    if (!comment) throw new Error(`${name} is not documented`);
    const code = examples.get(name);
    if (code === undefined) throw new Error(`${name} has no example`);
    const indent = ' '.repeat(source.getLineAndCharacterOfPosition(comment.pos).character);
    const replaced = document(comment.getText(source), code, indent);
    text = text.slice(0, comment.pos) + replaced + text.slice(comment.end);
  }
  return text;
}

function document(comment: string, code: string, indent: string): string {
  const prose = comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .replace(/^@example\n```.*?^```$/ms, '')
    .trim();
  const lines = [...prose.split('\n'), '', '@example', '```ts', ...code.split('\n'), '```'];
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n');
  return `/**\n${body}\n${indent} */`;
}
