// The client command of the conformance tool. The test that started the tool plays the client; this
// process tells it what to do, and ends when it has done it. Arguments: the test's URL, the mock's URL.
const [test, url] = process.argv.slice(2);
const {
  MCP_CONFORMANCE_SCENARIO: name,
  MCP_CONFORMANCE_PROTOCOL_VERSION: protocolVersion,
  MCP_CONFORMANCE_CONTEXT: context = '{}',
} = process.env;
const response = await fetch(test, {
  method: 'POST',
  body: JSON.stringify({ name, protocolVersion, url, context: JSON.parse(context) }),
});
process.stderr.write(await response.text());
process.exitCode = response.ok ? 0 : 1;
