// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has its own scope.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which copy each region to its @example.
import type { Gatehouse, Usage } from '@gatehouse/sdk';

export async function usage(gatehouse: Gatehouse, id: string): Promise<void> {
  {
    //#region Usage
    const callsOf = async (usage: Usage, applicationId: string) => {
      const from = '2026-11-26T00:00:00Z';
      const to = '2026-11-27T00:00:00Z';
      const { series } = await usage.get({ from, to, step: 'day', applicationId });
      return series[0]?.points[0]?.calls;
    };
    console.log(await callsOf(gatehouse.usage, id));
    //#endregion
  }

  {
    //#region Usage.get
    const from = '2026-11-01T00:00:00Z';
    const to = '2026-12-01T00:00:00Z';
    const { series } = await gatehouse.usage.get({ from, to, step: 'day', groupBy: 'tool' });
    for (const { key, points } of series) {
      console.log(
        key,
        points.map(({ calls }) => calls),
      );
    }
    //#endregion
  }
}
