// Loaded into a server before it starts (`node --require`). Answers each HTTP request on a port with the
// functions of the built server that have run since the request before, as a list of `<file>:<offset>`.
const { createServer } = require('node:http');
const { Session } = require('node:inspector');
const { dirname } = require('node:path');
const { pathToFileURL } = require('node:url');
const { isMainThread } = require('node:worker_threads');

const built = `${pathToFileURL(dirname(process.argv[1]))}/`;

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
  return scripts
    .filter(({ url }) => url.startsWith(built))
    .flatMap(({ url, functions }) =>
      functions
        .map(({ ranges }) => ranges[0])
        // At 0 is the module itself.
        .filter(({ count, startOffset }) => count > 0 && startOffset > 0)
        .map(({ startOffset }) => `${url.slice(built.length)}:${startOffset}`),
    );
}
