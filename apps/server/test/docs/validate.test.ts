import {
  authorizationFailures,
  credentialFailures,
  hintOf,
  serverFailures,
  stageCodeSchema,
  stageSentences,
  validationStageNameSchema,
} from '@gatehouse/contract';
import { expect, it } from 'vitest';
import { expectGenerated } from './generated-part.ts';

const TABLES = {
  'At the server': serverFailures,
  'At the authorization server, in the stages `discovery` and `registration`':
    authorizationFailures,
  'With the credential, in the stage `credential`': credentialFailures,
};

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function sectionOf([title, failures]: readonly [string, (typeof TABLES)[keyof typeof TABLES]]) {
  const rows = Object.entries(failures).map(([code, failure]) => [
    `\`${code}\``,
    failure.sentence,
    // The site would take <origin> for an element.
    hintOf(failure).replaceAll('<', '&lt;'),
  ]);
  return `### ${title}\n\n${tableOf(['code', 'what it means', 'what to do'], rows)}`;
}

it('says of every stage what it checks, and of every code what to do', () => {
  const stages = validationStageNameSchema.options.map((stage) => [
    `\`${stage}\``,
    stageSentences[stage].checks,
  ]);
  expectGenerated(
    'docs/run/validate.md',
    /(?<before><!-- stages: .*? -->\n\n)[\s\S]*?(?<after>\n*<!-- end -->)/,
    [tableOf(['stage', 'what it checks'], stages), ...Object.entries(TABLES).map(sectionOf)].join(
      '\n\n',
    ),
  );
});

it('explains every code that a stage can have', () => {
  const explained = new Set(Object.values(TABLES).flatMap((failures) => Object.keys(failures)));
  const selfExplanatory = ['not_reached', 'not_needed'];
  const missing = stageCodeSchema.options.filter(
    (code) => !explained.has(code) && !selfExplanatory.includes(code),
  );
  expect(missing).toEqual([]);
});
