import { describe, expect, it } from 'vitest';
import { expectGenerated } from './generated-part.ts';
import { LOG_HELP, OTHER_MESSAGES } from './log-help.ts';
import { type LogLine, logLines } from './log-lines.ts';
import { proseOf } from './pages.ts';

const PAGE = 'docs/run/logs.md';
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];
const lines = logLines();
const messageOf = ({ message = OTHER_MESSAGES }: LogLine) => message;

function rowOf(message: string): string {
  const { means, alsoHas = [] } = LOG_HELP[message] ?? { means: '' };
  const these = lines.filter((line) => messageOf(line) === message);
  const levels = LEVELS.filter((level) => these.some((line) => line.level === level));
  const fields = [...new Set([...these.flatMap((line) => line.fields), ...alsoHas])];
  const shown = fields.map((field) => `\`${field}\``).join(', ');
  return `| ${levels.join(', ')} | ${message} | ${shown} | ${means} |`;
}

describe('the page of the log', () => {
  it('has every line that the sources can write, with its fields and what it means', () => {
    expect([...new Set(lines.map(messageOf))].sort()).toEqual(Object.keys(LOG_HELP).sort());
    expectGenerated(
      PAGE,
      /(?<before><!-- lines: .*? -->\n\n)[\s\S]*?(?<after>\n\n<!-- end -->)/,
      [
        '| level | message | fields | what it means |',
        '|---|---|---|---|',
        ...Object.keys(LOG_HELP).map(rowOf),
      ].join('\n'),
    );
  });

  it('explains every field', () => {
    const explained = new Set(
      [...proseOf(PAGE).matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field),
    );
    const fields = Object.keys(LOG_HELP).flatMap((message) => [
      ...lines.filter((line) => messageOf(line) === message).flatMap((line) => line.fields),
      ...(LOG_HELP[message]?.alsoHas ?? []),
    ]);
    expect([...new Set(fields)].filter((field) => !explained.has(field))).toEqual([]);
  });
});
