import { ids } from './resources.ts';

const busy = {
  calls: 182,
  refusals: 3,
  errors: 0,
  upstreamErrors: 1,
  bytesIn: 51_870,
  bytesOut: 1_204_310,
  p50: 41.5,
  p95: 212,
  p99: 480.3,
  lastErrorAt: '2026-11-26T08:41:07.220Z',
};

const quiet = {
  calls: 0,
  refusals: 0,
  errors: 0,
  upstreamErrors: 0,
  bytesIn: 0,
  bytesOut: 0,
  p50: null,
  p95: null,
  p99: null,
  lastErrorAt: null,
};

export const usage = {
  series: [
    {
      key: ids.integration,
      total: busy,
      points: [
        { at: '2026-11-26T08:00:00.000Z', ...busy },
        { at: '2026-11-26T09:00:00.000Z', ...quiet },
      ],
    },
  ],
};
