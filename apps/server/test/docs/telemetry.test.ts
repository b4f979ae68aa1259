import { it } from 'vitest';
import { TELEMETRY_VARIABLES } from '../../src/telemetry/telemetry-settings.ts';
import { expectGenerated } from './generated-part.ts';

it('lists the variables of OpenTelemetry that the server heeds', () => {
  const rows = Object.entries(TELEMETRY_VARIABLES).map(
    ([name, purpose]) => `| \`${name}\` | ${purpose} |`,
  );
  expectGenerated(
    'docs/run/observe.md',
    /(?<before><!-- telemetry: .*? -->\n\n)[\s\S]*?(?<after>\n\n<!-- end -->)/,
    ['| variable | |', '|---|---|', ...rows].join('\n'),
  );
});
