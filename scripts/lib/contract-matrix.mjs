const FILE = /test\/contract\/contract\.test\.ts$/;

/** Statuses of vitest's report, and `cannot`, in their order within a cell. A bare number passed. */
const LABELS = { passed: '', cannot: ' cannot', failed: ' FAILED' };

/**
 * The contract suite of a vitest report as a table: areas of the API by targets.
 *
 * @param by `rule` for a row per rule.
 * @returns `undefined` if the suite is not in the report.
 */
export function contractMatrix(report, by = 'area') {
  const outcomes = outcomesIn(report);
  if (outcomes.length === 0) return undefined;
  const targets = [...new Set(outcomes.map(({ target }) => target))];
  const row = (title, of, format) => [
    title,
    ...targets.map((target) => format(of.filter((each) => each.target === target))),
  ];
  const titles = [...new Set(outcomes.map((each) => each[by]))];
  const rows = titles.map((title) => {
    const of = outcomes.filter((each) => each[by] === title);
    return row(title, of, countOf);
  });
  const total = row('Total', outcomes, countOf);
  const calls = row('Calls made by the client itself', outcomes, callsOf);
  const reasons = new Set(outcomes.flatMap(({ reason }) => reason ?? []));
  return [
    ...table([['', ...targets], ...rows, total, calls]),
    'Calls that a client cannot express are made by fetch. Rules that a target cannot follow are tested to fail:',
    ...[...reasons].map((reason) => `- ${reason}`),
  ].join('\n');
}

function outcomesIn(report) {
  const file = report?.testResults.find(({ name }) => FILE.test(name));
  return (file?.assertionResults ?? [])
    .filter(({ ancestorTitles }) => ancestorTitles.length === 2)
    .map(({ ancestorTitles: [target, area], title, status, meta = {} }) => ({
      target,
      area,
      rule: `${area}: ${title}`,
      status: status === 'passed' && meta.contractCannot ? 'cannot' : status,
      reason: meta.contractCannot && `${title}. ${meta.contractCannot}`,
      calls: meta.contractCalls ?? { client: 0, raw: 0 },
    }));
}

/** `12`, or `9 + 2 cannot + 1 FAILED`. */
function countOf(outcomes) {
  const parts = Object.entries(LABELS).map(([status, label]) => [
    outcomes.filter((each) => each.status === status).length,
    label,
  ]);
  const rest = outcomes.length - parts.reduce((sum, [count]) => sum + count, 0);
  const shown = [...parts, [rest, ' NOT RUN']].filter(([count]) => count > 0);
  return shown.map(([count, label]) => `${count}${label}`).join(' + ') || '-';
}

function callsOf(outcomes) {
  const sum = (key) => outcomes.reduce((total, { calls }) => total + calls[key], 0);
  const byClient = sum('client');
  return `${byClient} of ${byClient + sum('raw')}`;
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
