/** What the first start prints before anybody can use it: the owner's token and sign-in link. */
export function ownerText(ownerToken: string, signInLink: string): string {
  return `
The owner's access token, shown this once. Keep it:

  ${ownerToken}

The owner signs in as owner@localhost. To choose the password, open this within 7 days:

  ${signInLink}
`;
}

/** What the start prints: where the service is and, the first time, what to try next. */
export function welcome(publicUrl: string, ownerToken: string | undefined): string {
  const api = `${publicUrl}/api/v1`;
  if (ownerToken === undefined) return `Gatehouse is ready at ${api}\n`;
  return `
Gatehouse is ready at ${api}

Try next:

  export GATEHOUSE_ACCESS_TOKEN=${ownerToken}
  curl ${api}/me -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN"
  curl ${api}/integrations -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"Docs","url":"https://mcp.example.com/mcp"}'

For an MCP client, make a token that can use the gateway and nothing else:

  curl ${api}/tokens -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"MCP client","scopes":["mcp"]}'

`;
}
