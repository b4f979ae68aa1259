export function create(baseUrl, accessToken) {
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` };
  return async (path) => {
    const response = await fetch(baseUrl + path, { headers });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return response.json();
  };
}

export const get = (client, id) => client(`/integrations/${id}`);
export const list = (client, limit) => client(`/integrations?limit=${limit}`);
