/** The one URL of an application, `https://gatehouse.example.com/mcp/<client id>`, or that of an integration in it. */
export const url = required('GATEHOUSE_MCP_URL');

/** A personal access token with the scope `mcp`. */
const token = required('GATEHOUSE_TOKEN');

export const headers = { Authorization: `Bearer ${token}` };

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`Set ${name}.`);
  process.exit(1);
}
