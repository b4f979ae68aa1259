import { stageCodeSchema, validationStageNameSchema } from '@gatehouse/contract';
import { expect, it } from 'vitest';
import { STAGE_HELP } from '../../src/credentials/probe/stages/help/help.ts';
import { expectGenerated } from './generated-part.ts';

const STAGES = validationStageNameSchema.options;

function sectionOf(stage: (typeof STAGES)[number]): string {
  const { checks, codes } = STAGE_HELP[stage];
  const rows = Object.entries(codes).map(
    ([code, { meaning, hint }]) => `| \`${code}\` | ${meaning} | ${hint} |`,
  );
  const table = ['| code | what it means | what to do |', '|---|---|---|', ...rows].join('\n');
  return [`### \`${stage}\``, checks, table].join('\n\n');
}

it('says of every stage what it checks, and of every code what to do', () => {
  expectGenerated(
    'docs/run/validate.md',
    /(?<before><!-- stages: .*? -->\n\n)[\s\S]*?(?<after>\n*<!-- end -->)/,
    STAGES.map(sectionOf).join('\n\n'),
  );
});

it('explains every code that a stage can have', () => {
  const explained = new Set(STAGES.flatMap((stage) => Object.keys(STAGE_HELP[stage].codes)));
  const selfExplanatory = ['not_reached', 'not_needed'];
  const missing = stageCodeSchema.options.filter(
    (code) => !explained.has(code) && !selfExplanatory.includes(code),
  );
  // Those that only other tests of the contract's callers may meet in the future.
  expect(missing).toEqual([]);
});
