/** A member and a personal access token of theirs. */
export async function addPerson({ api, port }, index) {
  const member = { email: `person-${index}@example.com`, name: `Person ${index}`, role: 'member' };
  const { invitation } = await api('POST', '/members', member);
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/tokens`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${invitation}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Client', scopes: ['mcp'] }),
  });
  const { secret } = await response.json();
  if (secret === undefined) throw new Error(`No token: ${response.status}`);
  return secret;
}
