import { managementEventSchema } from '@gatehouse/contract';
import { it } from 'vitest';
import { expectGenerated } from './generated-part.ts';

/** What every event has. */
const COMMON: ReadonlySet<string> = new Set(['action', 'actor', 'targetId', 'targetName']);

const rows = managementEventSchema.options.map(({ shape }) => {
  const names = Object.keys(shape).filter((name) => !COMMON.has(name));
  return `| \`${shape.action.value}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`;
});

it('lists every action of the contract, with its details', () => {
  expectGenerated(
    'docs/run/audit.md',
    /(?<before><!-- events: .*? -->\n\n)[\s\S]*?(?<after>\n\n<!-- end -->)/,
    ['| action | details |', '|---|---|', ...rows].join('\n'),
  );
});
