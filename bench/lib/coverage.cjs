// Loaded into a server before it starts (`node --require`). Answers each HTTP request on a port with the
// functions of `main.js` that have run since the request before, as a list of their offsets.
const { createServer } = require('node:http');
const { Session } = require('node:inspector');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) serveCoverage(Number(process.env.COVERAGE_PORT));

function serveCoverage(port) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const server = createServer((_request, response) => {
    session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      response.end(JSON.stringify(error ?? functionsOf(coverage.result)));
    });
  });
  server.listen(port, '127.0.0.1').unref();
}

function functionsOf(scripts) {
  const main = scripts.filter(({ url }) => url.endsWith('/dist/main.js'));
  const functions = main.flatMap((script) => script.functions.map(({ ranges }) => ranges[0]));
  // At 0 is the module itself.
  return functions
    .filter(({ count, startOffset }) => count > 0 && startOffset > 0)
    .map(({ startOffset }) => startOffset);
}
