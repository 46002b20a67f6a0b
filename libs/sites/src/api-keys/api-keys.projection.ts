import { projection } from '@app/projections/contract';
import type { PrincipalEvent } from '../principal.events';
import type { ApiKeyRow } from './api-key.view';

/** The keys of a site. */
export const apiKeys = projection<ApiKeyRow, PrincipalEvent>({
  name: 'api_keys',
  version: 2,
  columns: { name: 'text', kind: 'text', capabilities: 'jsonb', roles: 'jsonb', agentRole: 'text', userId: 'text', expiresAt: 'text', revokedAt: 'text', createdAt: 'text' },
  on: {
    PrincipalCreated: (_row, { occurredAt, data: { principalId, platformAdmin: _platform, ...data } }) =>
      ({ id: principalId, ...data, userId: data.userId ?? null, expiresAt: null, revokedAt: null, createdAt: occurredAt }),
    ApiKeyIssued: (row, { data }) => row && { ...row, expiresAt: data.expiresAt },
    ApiKeyRevoked: (row, { occurredAt }) => row && { ...row, revokedAt: row.revokedAt ?? occurredAt },
    CapabilitiesChanged: (row, { data }) => row && { ...row, ...data },
    // Somebody signs in as this principal: it has no key, and so it is none.
    IdentityLinked: () => null,
  },
});
