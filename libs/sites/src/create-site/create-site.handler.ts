import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, idFor } from '@app/event-store';
import { CoreTools, governance, registrationsDue, rolesDue } from '@app/governance/contract';
import { withheld } from '@app/http';
import { accept, reject, type Outcome } from '@app/kernel';
import { hashOf, keyIdOf, newKey } from '../api-keys/secret';
import { principal } from '../principal.state';
import { CreateSite, type CreatedSite } from './create-site.command';

@CommandHandler(CreateSite)
export class CreateSiteHandler implements ICommandHandler<CreateSite> {
  constructor(
    private readonly executor: Executor,
    private readonly tools: CoreTools,
  ) {}

  /** The site, its tools and its first admin come into being together. */
  async execute({ body: { name }, context, by }: CreateSite): Promise<Outcome<CreatedSite>> {
    const first = 'platformAdmin' in by ? undefined : by;
    if ('platformAdmin' in by && !by.platformAdmin) return reject('forbidden', 'FORBIDDEN', 'Only a platform admin creates sites.');
    const siteId = first?.siteId ?? idFor('site', context);
    const adminKey = first?.adminKey ?? newKey(idFor('key', context));
    const keyId = keyIdOf(adminKey);
    if (keyId === undefined) return reject('invalid', 'VALIDATION_FAILED', 'An admin key starts with hk_ and has at most 512 characters.');
    const refs = { governance: { aggregate: governance, id: siteId }, principal: { aggregate: principal, id: keyId } };
    const made = await this.executor.execute(refs, { ...context, siteId }, (states) => {
      if (states.governance.status !== 'none') return first ? accept({}) : reject('conflict', 'CONFLICT', 'This site exists already.');
      return accept({
        governance: [{ type: 'SiteCreated', data: { siteId, name } } as const, ...registrationsDue(states.governance, this.tools.definitions), ...rolesDue(states.governance)],
        principal: [
          {
            type: 'PrincipalCreated',
            data: {
              principalId: keyId, name: `${name} admin`, kind: 'human', siteId, capabilities: ['*'], roles: ['admin'], agentRole: null,
              platformAdmin: first !== undefined,
            },
          } as const,
          { type: 'ApiKeyIssued', data: { keyId, secretHash: hashOf(adminKey), expiresAt: null } } as const,
        ],
      });
    });
    if (!made.ok) return made;
    const known = made.states.principal;
    // A repeated command finds the hash of the secret that its first attempt made, and nobody has that secret any more.
    const kept = known.status === 'known' && known.key?.secretHash === hashOf(adminKey);
    const data = kept ? { siteId, adminKey } : withheld({ siteId, adminKey }, 'adminKey');
    return { ok: true, data, position: made.position };
  }
}
