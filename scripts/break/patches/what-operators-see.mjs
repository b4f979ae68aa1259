export const patches = [
  {
    name: 'metrics-undocumented',
    promise:
      'Every metric that a running server exports is on the page of metrics with its meaning',
    means: 'A metric is exported that no page explains.',
    file: 'apps/server/src/http/health.ts',
    search: "name: 'gatehouse_ready'",
    replace: "name: 'gatehouse_serving'",
    test: {
      file: 'apps/server/test/docs/metrics.test.ts',
      name: 'no metric that the service registers is missing on the page',
    },
  },
  {
    name: 'logs-undocumented',
    promise:
      'Every metric that a running server exports is on the page of metrics with its meaning',
    means: 'A line is logged that no page explains.',
    file: 'apps/server/src/start.ts',
    search: "'listening'",
    replace: "'now listening'",
    test: {
      file: 'apps/server/test/docs/logs.test.ts',
      name: 'the page of the log > has every line that the sources can write, with its fields and what it means',
    },
  },
  {
    name: 'alerts-for-failures-of-others',
    promise: 'Every alert fires when it should',
    means: "People are woken because someone else's MCP server fails.",
    file: 'deploy/prometheus/alerts.yml',
    search: 'outcome=~"refused|credential", status="5xx"',
    replace: 'status="5xx"',
    test: {
      file: 'apps/server/test/deploy/prometheus.slow.test.ts',
      name: 'the rules > fire when they should, not before, and not for a node that is well',
    },
  },
  {
    name: 'metrics-of-every-integration',
    promise: 'At most 200 integrations have their own label value',
    means: 'A thousand integrations make thousands of series on every node.',
    file: 'apps/server/src/gateway/integration-metrics.ts',
    search: 'known.size >= MAX_INTEGRATIONS',
    replace: 'known.size >= Infinity',
    test: {
      file: 'apps/server/test/gateway/integration-metrics.test.ts',
      name: 'the first 200 integrations have their own label value, and the rest share one',
    },
  },
  {
    name: 'pages-logged-by-their-path',
    promise: 'At most 200 integrations have their own label value',
    means: 'The log has the secrets of links.',
    file: 'apps/server/src/http/observe-requests.ts',
    search: 'route?.path ?? matchedRoute(req)',
    replace: 'route?.path ?? req.path',
    test: {
      file: 'apps/server/test/http/logged-routes.test.ts',
      name: 'a request outside the management API is logged by the template of its route > /connect/:secret',
    },
  },
  {
    name: 'traces-with-the-url',
    promise: 'A trace has no secret, no id',
    means: 'A collector gets the ids and the query of every call.',
    file: 'apps/server/src/gateway/call-trace.ts',
    search: "'http.route': ROUTE, 'gatehouse.era'",
    replace: "'http.route': req.url ?? ROUTE, 'gatehouse.era'",
    test: {
      file: 'apps/server/test/telemetry/telemetry.test.ts',
      name: 'traces > hold no secret, no id and nothing of a query or body',
    },
  },
  {
    name: 'telemetry-fails-the-process',
    promise: 'A collector that refuses or hangs keeps neither a call nor the shutdown waiting',
    means: 'A collector that is away ends the server.',
    file: 'apps/server/src/telemetry/start-telemetry.ts',
    search: 'if (result.error !== undefined) onFailure(result.error);',
    replace: 'if (result.error !== undefined) throw result.error;',
    test: {
      file: 'apps/server/test/telemetry/telemetry.test.ts',
      name: 'a collector > that refuses is logged once, and keeps nobody waiting',
    },
  },
];
