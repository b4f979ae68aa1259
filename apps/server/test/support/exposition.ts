/** A metric as a scrape shows it. */
export interface ScrapedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** The labels of each sample, without those that say which piece of a histogram or summary it is. */
  readonly samples: readonly Readonly<Record<string, string>>[];
}

/** The value of one sample, with labels as in the text; `undefined` if it is missing. */
export function valueIn(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length));
}

/** Reads the text format of Prometheus, as far as prom-client writes it. */
export function readExposition(text: string): ScrapedMetric[] {
  return text
    .split(/^# HELP /m)
    .slice(1)
    .map((part) => {
      const [, name = '', help = '', type = ''] = /^(\S+) (.*)\n# TYPE \S+ (\S+)/.exec(part) ?? [];
      const lines = part.split('\n').filter((line) => line.startsWith(name));
      return { name, help, type, samples: lines.slice(1).map(labelsOf) };
    });
}

function labelsOf(line: string): Record<string, string> {
  const pairs = line.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g);
  const labels = [...pairs].map(([, name = '', value = '']) => [name, value] as const);
  return Object.fromEntries(labels.filter(([name]) => name !== 'le' && name !== 'quantile'));
}
