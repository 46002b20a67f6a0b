/** Where a client may learn of which resource (RFC 9728, 3.1): the path stands behind the well-known one. */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';
export const MCP_PATH = '/api/v1/mcp';

export type ProtectedResource = { readonly publicUrl: string; readonly issuers: readonly string[] };

/** What a client has to know to get a token for the whole server, or for its MCP endpoint (RFC 9728, 2). */
export const protectedResource = ({ publicUrl, issuers }: ProtectedResource, path: '' | typeof MCP_PATH) => ({
  resource: `${publicUrl}${path}`,
  resource_name: 'Agent Harness',
  resource_documentation: `${publicUrl}/docs`,
  authorization_servers: issuers,
  bearer_methods_supported: ['header'],
  // The first sign-in needs a verified address.
  scopes_supported: ['openid', 'email'],
});

/** The audiences of tokens that clients ask for when they name a resource of ours (RFC 8707); some write a bare address with its slash. */
export const audiencesOf = (publicUrl: string): readonly string[] => [publicUrl, `${publicUrl}/`, `${publicUrl}${MCP_PATH}`];

/** The challenge of a 401 (RFC 6750, 3; RFC 9728, 5.1). */
export const challenge = (publicUrl: string, path: string, hadToken: boolean): string => {
  const where = `resource_metadata="${publicUrl}${WELL_KNOWN}${path === MCP_PATH ? MCP_PATH : ''}"`;
  return hadToken ? `Bearer error="invalid_token", ${where}` : `Bearer ${where}`;
};
