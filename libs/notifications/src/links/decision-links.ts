import { randomUUID } from 'node:crypto';
import type { Executor } from '@app/event-store';
import type { Vault } from '@app/vault';
import { jwtVerify, SignJWT } from 'jose';
import type { DecisionLink } from '../deliver/message';
import type { Target } from '../deliver/routing.policy';
import type { Notification } from '../notification.schema';
import { notifySettings } from '../settings/settings.state';

const KEPT_AS = 'decision-links';
const ALGORITHM = 'HS256';
const ISSUER = 'agent-harness decision link';
const AUDIENCE = 'decide';
/** At most; a question or a veto window that ends earlier refuses by itself. */
const LIVES_S = 86_400;
/** Three parts of base64url; nothing longer is looked at. */
const TOKEN = /^[\w-]{1,200}\.[\w-]{1,1000}\.[\w-]{1,100}$/;

export const ACTIONS = ['approve', 'reject', 'veto'] as const;
export type Action = (typeof ACTIONS)[number];

/** What a link is good for: one action, on one thing, in the name of one principal, once. */
export type LinkClaims = { readonly linkId: string; readonly principalId: string; readonly siteId: string; readonly action: Action; readonly subjectId: string; readonly expiresAt: Date };

const OFFERED: Partial<Record<Notification['kind'], readonly (readonly [Action, string])[]>> = { approval: [['approve', 'Approve'], ['reject', 'Reject']], veto: [['veto', 'Veto']] };

/** Signed addresses that let a person decide from a message. They hold no key and show nothing by themselves; the page behind them asks again. */
export class DecisionLinks {
  constructor(
    private readonly vault: Pick<Vault, 'pepper'>,
    private readonly executor: Pick<Executor, 'current'>,
    private readonly publicUrl: () => string,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** For a person: in their name. For a channel: in the name of the person whom an admin chose, and none without one. */
  for = async (siteId: string, target: Target, { kind, id }: Notification): Promise<readonly DecisionLink[]> => {
    const actions = OFFERED[kind];
    if (!actions || target.sink === 'push' || target.sink === 'webhook') return [];
    const { state } = await this.executor.current(notifySettings, siteId);
    const principalId = 'channel' in target ? state.channels.find(({ name }) => name === target.channel)?.decidesAs : state.people[target.personId]?.principalId;
    if (principalId === undefined) return [];
    return Promise.all(actions.map(async ([action, label]) => ({ label, url: `${this.publicUrl()}/api/v1/decisions/${await this.issue({ principalId, siteId, action, subjectId: id })}` })));
  };

  async issue({ principalId, siteId, action, subjectId }: Omit<LinkClaims, 'linkId' | 'expiresAt'>): Promise<string> {
    const from = Math.floor(this.now().getTime() / 1000);
    return new SignJWT({ site: siteId, act: action, on: subjectId })
      .setProtectedHeader({ alg: ALGORITHM }).setIssuer(ISSUER).setAudience(AUDIENCE).setSubject(principalId).setIssuedAt(from).setExpirationTime(from + LIVES_S).setJti(randomUUID())
      .sign(await this.key());
  }

  /** Null for what was not issued here, was changed, or is over. */
  async verify(token: string): Promise<LinkClaims | null> {
    if (!TOKEN.test(token)) return null;
    try {
      const { payload } = await jwtVerify(token, await this.key(), { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE, currentDate: this.now(), requiredClaims: ['sub', 'exp', 'jti', 'site', 'act', 'on'] });
      const { jti, sub, exp, site, act, on } = payload as Record<string, unknown>;
      return { linkId: jti as string, principalId: sub as string, siteId: site as string, action: act as Action, subjectId: on as string, expiresAt: new Date((exp as number) * 1000) };
    } catch {
      return null;
    }
  }

  private key = (): Promise<Uint8Array> => this.vault.pepper(KEPT_AS);
}
