import { blocksOf, markedBlocks, OPERATORS_PAGES } from './blocks.mjs';
import { NOT_RUN } from './not-run.mjs';
import { STEPS } from './steps.mjs';

/** What is wrong with the marks, as sentences: every block of the operators' pages is run or excused, and not both. */
export function findFaults() {
  const marked = markedBlocks();
  const run = new Set(STEPS.flatMap(({ blocks }) => blocks));
  const unmarked = OPERATORS_PAGES.flatMap(blocksOf).filter(({ name }) => name === undefined);
  const firstLines = new Map(unmarked.map((block) => [block.commands.split('\n')[0], block.page]));
  return [
    ...[...run].filter((name) => !marked.has(name)).map((name) => `No block is marked ${name}.`),
    ...[...marked.values()]
      .filter(({ name }) => !run.has(name))
      .map(({ page, name }) => `${page}: the block marked ${name} is not run by any step.`),
    ...[...firstLines]
      .filter(([line]) => !NOT_RUN.has(line))
      .map(
        ([line, page]) => `${page}: "${line}" has neither a mark nor a reason why it is not run.`,
      ),
    ...[...NOT_RUN.keys()]
      .filter((line) => !firstLines.has(line))
      .map((line) => `"${line}" has a reason why it is not run, and is in no page without a mark.`),
  ];
}
