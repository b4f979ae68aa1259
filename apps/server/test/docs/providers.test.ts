import { it } from 'vitest';
import type { Preset } from '../../src/credentials/oauth/presets/preset.ts';
import { presets } from '../../src/credentials/oauth/presets/presets.ts';
import { expectGenerated } from './generated-part.ts';

const quoted = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');

function rowOf({ name, title, hosts, registration, issuers = [] }: Preset): string {
  const first = registration === 'static' ? 'create an OAuth app' : 'nothing';
  return `| \`${name}\` | ${title} | ${quoted(hosts)} | ${first} | ${quoted(issuers) || 'found'} |`;
}

/** Undefined where there is nothing to say. */
function sectionOf({ title, registration, help, aliases = [] }: Preset): string | undefined {
  const { setup, appsUrl, notes = [] } = help;
  const place = appsUrl === undefined ? [] : [`Where: <${appsUrl}>.`];
  const redirect =
    registration === 'static' ? ['Redirect URI: `<public url>/oauth/callback`.'] : [];
  const other = aliases.length === 0 ? [] : [`Other names: ${quoted(aliases)}.`];
  const lines = [
    ...(setup === undefined ? [] : [setup]),
    ...place,
    ...redirect,
    ...other,
    ...notes,
  ];
  if (lines.length === 0) return undefined;
  return [`### ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n');
}

function providersPart(): string {
  const sorted = [...presets].sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const table = [
    '| `provider` | | recognized by | what to do first | `issuer` |',
    '|---|---|---|---|---|',
    ...sorted.map(rowOf),
  ].join('\n');
  const sections = sorted.map(sectionOf).filter((section) => section !== undefined);
  return [table, ...sections].join('\n\n');
}

it('says of every provider what to do first', () => {
  expectGenerated(
    'docs/providers.md',
    /(?<before><!-- providers: .*? -->\n\n)[\s\S]*?(?<after>\n*<!-- end -->)/,
    providersPart(),
  );
});
