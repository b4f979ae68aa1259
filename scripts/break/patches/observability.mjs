import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src';
const TELEMETRY = 'telemetry/telemetry.test.ts';

export const observabilityPatches = [
  {
    name: 'metrics-undocumented',
    means: 'A metric is exported that no page explains.',
    file: `${SRC}/http/readiness.ts`,
    search: "name: 'gatehouse_ready'",
    replace: "name: 'gatehouse_serving'",
    test: serverTest(
      'docs/metrics.test.ts',
      'no metric that the service registers is missing on the page',
    ),
  },
  {
    name: 'logs-undocumented',
    means: 'A line is logged that no page explains.',
    file: `${SRC}/run.ts`,
    search: "'listening'",
    replace: "'now listening'",
    test: serverTest(
      'docs/logs.test.ts',
      'the page of the log > has every line that the sources can write, with its fields and what it means',
    ),
  },
  {
    name: 'traces-with-the-url',
    means: 'A collector gets the ids and the query of every call.',
    file: `${SRC}/gateway/call-trace.ts`,
    search: "'http.route': ROUTE, 'gatehouse.era'",
    replace: "'http.route': req.url ?? ROUTE, 'gatehouse.era'",
    test: serverTest(TELEMETRY, 'traces > hold no secret, no id and nothing of a query or body'),
  },
  {
    name: 'traces-of-unwilling-callers',
    means: 'A trace of another system is lost, or its caller is traced against its word.',
    file: `${SRC}/telemetry/create-tracing.ts`,
    search: "if (typeof parent !== 'string') return ROOT_CONTEXT;",
    replace: "if (typeof parent !== 'object') return ROOT_CONTEXT;",
    test: serverTest(
      TELEMETRY,
      'traces > have a span of the call in the trace of its client, and in it one of the request upstream',
    ),
  },
  {
    name: 'telemetry-logged-each-time',
    means: 'A collector that is away fills the log.',
    file: `${SRC}/telemetry/start-telemetry.ts`,
    search: '    isLogged = true;\n',
    replace: '',
    test: serverTest(
      TELEMETRY,
      'a collector > that refuses is logged once, and keeps nobody waiting',
    ),
  },
  {
    name: 'telemetry-fails-the-process',
    means: 'A collector that is away ends the server.',
    file: `${SRC}/telemetry/start-telemetry.ts`,
    search: 'if (result.error !== undefined) onFailure(result.error);',
    replace: 'if (result.error !== undefined) throw result.error;',
    test: serverTest(
      TELEMETRY,
      'a collector > that refuses is logged once, and keeps nobody waiting',
    ),
  },
  {
    name: 'alerts-for-failures-of-others',
    means: 'People are woken because an MCP server of somebody else fails.',
    file: 'deploy/prometheus/alerts.yml',
    search: 'outcome=~"refused|credential", status="5xx"',
    replace: 'status="5xx"',
    test: serverTest(
      'deploy/prometheus.test.ts',
      'the rules > fire when they should, not before, and not for a node that is well',
    ),
  },
];
