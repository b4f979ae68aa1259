import { limits } from '@gatehouse/contract';
import { it } from 'vitest';
import { expectGenerated } from './generated-part.ts';

const KIB = 1024;
const number = (value: number) => value.toLocaleString('en');

const ROWS: readonly (readonly [string, string])[] = [
  ['a body', `${number(limits.bodyBytes / KIB / KIB)} MiB`],
  ['values and names of fields in a body', number(limits.bodyValues)],
  ['levels in a body', number(limits.bodyDepth)],
  ['items of a list in a body', number(limits.listItems)],
  ['items of a page', `${number(limits.pageMax)}, and ${number(limits.pageDefault)} by default`],
  ['a name', `${number(limits.name)} characters`],
  ['a URL', `${number(limits.url)} characters`],
  ['an email', `${number(limits.email)} characters`],
  ['a stored credential', `${number(limits.credential / KIB)} KiB`],
  ['`capabilities`, and a `credentialSchema`', `${number(limits.jsonBytes / KIB)} KiB each`],
  ['integrations of an application', number(limits.attachedIntegrations)],
  ['redirect URIs of an application', number(limits.redirectUris)],
  ['unexpired tokens of a member', number(limits.tokens)],
  ['patterns, groups or people in one list of a policy', number(limits.policyItems)],
  ['a pattern of names', `${number(limits.policyPattern)} characters`],
  ['a pattern of URIs', `${number(limits.policyResourcePattern)} characters`],
  ['applications in `perApplication`', number(limits.policyApplications)],
  ['edges of the access graph in one answer', number(limits.accessGraphEdges)],
  ['changes of one what-if', number(limits.whatIfChanges)],
  [
    'members of an organization that asks about changes of more than members',
    number(limits.whatIfMembers),
  ],
  ['names in a list of its answer', number(limits.whatIfNamed)],
  ['errors in one problem', number(limits.problemErrors)],
];

it('names the limits of requests as the contract has them', () => {
  expectGenerated(
    'docs/run/limits.md',
    /(?<before><!-- limits: .*? -->\n\n)[\s\S]*?(?<after>\n*<!-- end -->)/,
    ['| | at most |', '|---|---|', ...ROWS.map(([what, most]) => `| ${what} | ${most} |`)].join(
      '\n',
    ),
  );
});
