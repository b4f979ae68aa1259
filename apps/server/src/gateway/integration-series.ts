/** Integrations with their own label value in a metric, which has at least one series for each of them and each node. */
const MAX_INTEGRATIONS = 200;

/** The label value of all integrations beyond. */
export const OTHERS = 'other';

/**
 * Keeps the series of a metric for each integration. The first ones that are called have their id as a label value: it
 * is an admin's to see, and the name can change.
 *
 * @param create makes the series for a label value
 */
export function createIntegrationSeries<Series>(create: (label: string) => Series): {
  readonly known: ReadonlyMap<string, Series>;
  of(integrationId: string): Series;
} {
  const known = new Map<string, Series>();
  const of = (integrationId: string): Series => {
    const series = known.get(integrationId);
    if (series !== undefined) return series;
    if (known.size >= MAX_INTEGRATIONS && integrationId !== OTHERS) return of(OTHERS);
    const created = create(integrationId);
    known.set(integrationId, created);
    return created;
  };
  return { known, of };
}
