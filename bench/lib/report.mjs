import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { machine } from './system.mjs';

const server = createRequire(new URL('../../apps/server/package.json', import.meta.url));
const LIBRARIES = [
  'undici',
  'express',
  '@ts-rest/express',
  '@prisma/client',
  'pg',
  '@electric-sql/pglite',
];

export async function conditions(postgresql) {
  const libraries = LIBRARIES.map((name) => `${name} ${versionOf(name)}`);
  return {
    date: new Date().toISOString().slice(0, 10),
    ...machine(),
    postgresql: await postgresql.version(),
    libraries: libraries.join(', '),
  };
}

function versionOf(name) {
  for (const folder of server.resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')).version;
    } catch {
      // Not installed in this folder.
    }
  }
  return 'unknown';
}

/** One line for the terminal while the rest is still being measured. */
export function headline({ title, rows }) {
  const parts = rows.map((row) => {
    const value = row.cpu
      ? `${number(row.cpu.median)} µs (×${row.ratio.median.toFixed(2)})`
      : row.text;
    return `${row.target}: ${value}`;
  });
  return `${title} | ${parts.join(' | ')}`;
}

export function markdownOf(about, parts) {
  const { date, cpu, memory, system, node, postgresql, libraries, rounds, seconds } = about;
  const lines = [
    `Measured ${date} on ${cpu}, ${memory}, ${system}, Node ${node}, PostgreSQL ${postgresql}; ${libraries}.`,
    `${rounds} interleaved rounds of ${seconds} s per target and cell. Median (minimum to maximum).`,
    '',
  ];
  for (const { cells, notes = [] } of parts) {
    for (const cell of cells) lines.push(...TABLES[cell.kind](cell), '');
    for (const note of notes) lines.push(note, '');
  }
  const requests = parts.reduce((sum, part) => sum + (part.upstreamRequests ?? 0), 0);
  if (requests > 0) {
    lines.push(
      `${requests.toLocaleString('en')} requests reached the upstream, all with its own bearer token.`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const TABLES = {
  calls: ({ title, rows, reference = 'passthrough' }) =>
    table(
      title,
      [
        'target',
        'ops/s',
        'p50 ms',
        'p99 ms',
        'CPU µs/op',
        `CPU / ${reference}`,
        'PostgreSQL µs/op',
        'foreign CPU',
        'rounds',
      ],
      rows.map((row) => [
        row.target,
        number(row.perSecond.median),
        row.p50.median.toFixed(2),
        row.p99.median.toFixed(1),
        ranged(row.cpu, number),
        ranged(row.ratio, (value) => value.toFixed(2)),
        number(row.postgresqlCpu.median),
        `${(row.foreign.median * 100).toFixed(0)} %`,
        String(row.rounds),
      ]),
    ),
  clients: ({ title, rows, reference }) =>
    table(
      title,
      [
        'client',
        'calls/s',
        'p50 ms',
        'p99 ms',
        'CPU µs/call',
        `CPU / ${reference}`,
        'foreign CPU',
        'rounds',
      ],
      rows.map((row) => [
        row.target,
        number(row.perSecond.median),
        row.p50.median.toFixed(2),
        row.p99.median.toFixed(1),
        ranged(row.cpu, number),
        ranged(row.ratio, (value) => value.toFixed(2)),
        `${(row.foreign.median * 100).toFixed(0)} %`,
        String(row.rounds),
      ]),
    ),
  plain: ({ title, columns, rows }) =>
    table(
      title,
      ['target', ...columns],
      rows.map(({ target, values }) => [target, ...values]),
    ),
};

function table(title, columns, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [`### ${title}`, '', line(columns), line(columns.map(() => '---')), ...rows.map(line)];
}

export function ranged({ median, min, max }, format) {
  return `${format(median)} (${format(min)}–${format(max)})`;
}

export function number(value) {
  return Math.round(value).toLocaleString('en');
}
