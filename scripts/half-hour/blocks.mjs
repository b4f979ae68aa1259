import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/workspace.mjs';

/** Their blocks are either run or listed with the reason why not. */
export const OPERATORS_PAGES = [
  'deploy',
  'proxy',
  'configuration',
  'backup',
  'keys',
  'upgrade',
  'recovery',
  'secrets',
].map((name) => `docs/run/${name}.md`);

/** One block of these marks of another page is run as well. */
const OTHER_PAGES = ['docs/code/http.md'];

const BLOCK = /((?:^<!--.*-->\n)*)^( *)```sh\n([\s\S]*?)^ *```$/gm;
const MARK = /<!-- half-hour: (\S+) -->/;

/** The shell blocks of a page in their order: `name` of those that are marked, and the `commands`. */
export function blocksOf(page) {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(BLOCK)].map(([, comments, indent, commands]) => ({
    page,
    name: MARK.exec(comments)?.[1],
    commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Every marked block by its name. @throws Error if a name occurs twice */
export function markedBlocks() {
  const blocks = new Map();
  for (const block of [...OPERATORS_PAGES, ...OTHER_PAGES].flatMap(blocksOf)) {
    if (block.name === undefined) continue;
    if (blocks.has(block.name)) throw new Error(`Two blocks are marked ${block.name}.`);
    blocks.set(block.name, block);
  }
  return blocks;
}
