import { it } from 'vitest';
import { presets } from '../../src/credentials/oauth/presets/find-preset.ts';
import type { Preset } from '../../src/credentials/oauth/presets/preset.ts';
import { expectGenerated } from './generated-part.ts';

const quoted = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');

function rowOf({ name, title, hosts, registration, issuers = [], help }: Preset): string {
  const little = help.setup === undefined ? 'nothing' : 'see below';
  const first = registration === 'static' ? 'create an OAuth app' : little;
  return `| \`${name}\` | ${title} | ${quoted(hosts)} | ${first} | ${quoted(issuers) || 'found'} |`;
}

function sectionOf({ title, sources, help, aliases = [] }: Preset): string {
  const { setup, appsUrl, notes = [] } = help;
  const place = appsUrl === undefined ? [] : [`Where: <${appsUrl}>.`];
  const redirect = 'Redirect URI: `<public url>/oauth/callback/<integration id>`.';
  const other = aliases.length === 0 ? [] : [`Other names: ${quoted(aliases)}.`];
  const lines = [
    ...(setup === undefined ? [] : [setup, ...place, redirect]),
    ...other,
    ...notes,
    `Documentation: ${sources.map((source) => `<${source}>`).join(', ')}.`,
  ];
  return [`### ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n');
}

function providersPart(): string {
  const sorted = [...presets].sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const table = [
    '| `provider` | | recognized by | what to do first | `issuer` |',
    '|---|---|---|---|---|',
    ...sorted.map(rowOf),
  ].join('\n');
  return [table, ...sorted.map(sectionOf)].join('\n\n');
}

it('says of every provider what to do first', () => {
  expectGenerated(
    'docs/run/providers.md',
    /(?<before><!-- providers: .*? -->\n\n)[\s\S]*?(?<after>\n*<!-- end -->)/,
    providersPart(),
  );
});
