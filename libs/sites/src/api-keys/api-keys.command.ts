import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { Capability } from '@app/governance/contract';
import { z } from 'zod';
import { PRINCIPAL_KINDS } from '../principal.events';

export const IssueApiKeyBody = z.strictObject({
  name: z.string().trim().min(1).max(200),
  kind: z.enum(PRINCIPAL_KINDS),
  capabilities: z.array(Capability).max(100),
  agentRole: z.string().trim().min(1).max(100).optional(),
  /** Whose key it is. Only an admin names somebody else; without one a key that is no admin's to give belongs to its issuer. */
  userId: z.string().regex(/^[\w.@:-]{1,200}$/, 'Letters, digits and _ . @ : -').optional(),
  roles: z.array(z.enum(['admin', 'veto'])).max(2).default([]),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
}).meta({ id: 'IssueApiKey' });
export type IssueApiKeyBody = z.infer<typeof IssueApiKeyBody>;

/** `key` is shown in the first answer and never again: a repetition holds null and a notice. */
export const IssuedKey = z.object({ id: z.string(), key: z.string().nullable(), notice: z.string().optional() }).meta({ id: 'IssuedApiKey' });
export type IssuedKey = z.infer<typeof IssuedKey>;

export class IssueApiKey extends Command<Outcome<IssuedKey>> {
  constructor(
    readonly body: IssueApiKeyBody,
    readonly issuer: Principal,
    readonly context: Context,
  ) {
    super();
  }
}

/** What the key's principal may do from now on; roles stay as they are when they are not named. */
export const ChangeApiKeyBody = z.strictObject({
  capabilities: IssueApiKeyBody.shape.capabilities,
  roles: z.array(z.enum(['admin', 'veto'])).max(2).optional(),
}).meta({ id: 'ChangeApiKey' });
export type ChangeApiKeyBody = z.infer<typeof ChangeApiKeyBody>;

export type ChangedKey = { readonly id: string; readonly capabilities: readonly string[]; readonly roles: readonly string[] };

export class ChangeApiKey extends Command<Outcome<ChangedKey>> {
  constructor(
    readonly keyId: string,
    readonly body: ChangeApiKeyBody,
    readonly issuer: Principal,
    readonly context: Context,
  ) {
    super();
  }
}

export class RotateApiKey extends Command<Outcome<IssuedKey>> {
  constructor(
    readonly keyId: string,
    readonly issuer: Principal,
    readonly context: Context,
  ) {
    super();
  }
}

export class RevokeApiKey extends Command<Outcome<{ readonly id: string; readonly revoked: true }>> {
  constructor(
    readonly keyId: string,
    readonly issuer: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
