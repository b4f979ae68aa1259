/** The token of the block that stores one. */
export const UPSTREAM_TOKEN = 'your-token-at-the-tracker';

/**
 * What a reader changes in the blocks before running them.
 *
 * @param upstream - the URL of the MCP server
 */
export const replacementsFor = (upstream) => [
  {
    block: 'systemd.networks',
    from: '10.20.0.0/16',
    to: '127.0.0.0/8',
    why: 'the network of the MCP server',
  },
  {
    block: 'first.helpers',
    from: 'http://127.0.0.1:3000',
    to: 'https://gatehouse.example.com',
    why: 'the public URL',
  },
  {
    block: 'first.integration',
    from: 'https://mcp.example.com/mcp',
    to: upstream,
    why: 'the MCP server',
  },
  {
    block: 'embedded.start',
    from: 'dist/gatehouse/',
    to: '/opt/gatehouse-0.2.0/',
    why: 'where the artefact is unpacked',
  },
];
