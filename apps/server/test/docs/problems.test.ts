import { problemCodes } from '@gatehouse/contract';
import { it } from 'vitest';
import { expectGenerated } from './generated-part.ts';
import { PROBLEM_HELP } from './problem-help.ts';

type Code = keyof typeof problemCodes;

function sectionOf(code: Code): string {
  const { status, title } = problemCodes[code];
  const { cause, remedy } = PROBLEM_HELP[code];
  return [
    `## \`${code}\``,
    `**${status}** ${title}`,
    `- Why: ${cause}\n- What to do: ${remedy}`,
  ].join('\n\n');
}

it('says of every code why it happens and what to do', () => {
  expectGenerated(
    'docs/code/problems.md',
    /(?<before><!-- problems: .*? -->\n\n)[\s\S]*?(?<after>\n*<!-- end -->)/,
    (Object.keys(problemCodes) as Code[]).map(sectionOf).join('\n\n'),
  );
});
