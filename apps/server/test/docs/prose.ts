import { readdirSync, readFileSync } from 'node:fs';
import { root } from './pages.ts';

/** A comment, a string or a paragraph, and where it begins in its file. */
export interface Prose {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const FOLDERS = ['apps', 'packages', 'docs', 'scripts', 'bench', 'examples', '.changeset'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** Generated from files that are read here, quoted from elsewhere, or released and so never edited. */
const SKIPPED =
  /(^|\/)(node_modules|dist|generated|fixtures|\.cache|reference|migrations)$|CHANGELOG\.md$/;

/** Regular expressions come first, because they may contain quotes. */
const TOKEN =
  /(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Code, values, names and CSS. */
const QUOTED = /`[^`\n]*`|'[^'\s]+'|"[^"\s]+"|\(\w+\)|: none;/g;

/** Paths of the sources and pages that people write. */
export function writtenFiles(): string[] {
  return [...PAGES, ...FOLDERS.flatMap(filesBelow)];
}

/** What `file` says to people: the comments and texts of code, or a page without its code. */
export function proseIn(file: string): Prose[] {
  const source = readFileSync(new URL(file, root), 'utf8');
  if (file.endsWith('.md')) return paragraphsOf(file, source);
  return [...source.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
    const isComment = token.startsWith('/*') || token.startsWith('//');
    const isText = /^['"`]/.test(token) && /\w \w/.test(token);
    if (!isComment && !isText) return [];
    const text = isComment ? token : token.slice(1, -1);
    const line = source.slice(0, index).split('\n').length;
    return [{ file, line, text: text.replaceAll(QUOTED, ' ') }];
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (SKIPPED.test(path)) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return /\.(ts|mts|mjs|md)$/.test(path) ? [path] : [];
  });
}

function paragraphsOf(file: string, source: string): Prose[] {
  const text = source
    .replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(QUOTED, ' ');
  return text.split('\n').map((paragraph, index) => ({ file, line: index + 1, text: paragraph }));
}
