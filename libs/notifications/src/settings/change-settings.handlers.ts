import { createHash } from 'node:crypto';
import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { personId, reject, type Context, type Outcome } from '@app/kernel';
import { Vault } from '@app/vault';
import { browserKeyProblems } from './browser-keys';
import { PutChannels, PutPreferences, SubscribePush, UnsubscribePush, type ChannelsView, type PreferencesView, type PushSubscribedView } from './change-settings.command';
import { changeChannels, changePreferences, subscribePush, unsubscribePush } from './change-settings.decide';
import { openAddress, sealAddress } from './sealed-address';
import { GetChannels, GetPreferences } from './settings.query';
import { Preferences } from './settings.schema';
import { notifySettings, type NotifySettings } from './settings.state';

const refs = ({ siteId }: Pick<Context, 'siteId'>) => ({ settings: { aggregate: notifySettings, id: siteId } }) as const;

const viewOf = async (vault: Vault, siteId: string, person: string, state: NotifySettings): Promise<PreferencesView> => {
  const known = state.people[person];
  if (!known) return { ...Preferences.parse({}), pushSubscriptions: [] };
  const { kinds, quietHours, digestMinutes, sealedEmail, subscriptions } = known;
  const email = sealedEmail === null ? null : await openAddress<string>(vault, siteId, person, sealedEmail);
  return { email, kinds: { email: [...kinds.email], push: [...kinds.push] }, quietHours, digestMinutes, pushSubscriptions: Object.keys(subscriptions) };
};

@CommandHandler(PutPreferences)
export class PutPreferencesHandler implements ICommandHandler<PutPreferences> {
  constructor(private readonly executor: Executor, private readonly vault: Vault) {}

  async execute({ body: { email, ...said }, person, context }: PutPreferences): Promise<Outcome<PreferencesView>> {
    const own = personId(person);
    const { state } = await this.executor.current(notifySettings, context.siteId);
    const before = state.people[own]?.sealedEmail ?? null;
    // The same address is not sealed again, so that saying the same twice changes nothing.
    const same = email !== null && before !== null && (await openAddress<string>(this.vault, context.siteId, own, before)) === email;
    const sealedEmail = email === null ? null : same ? before : await sealAddress(this.vault, context.siteId, own, email);
    const done = await this.executor.execute(refs(context), context, ({ settings }) => changePreferences(settings, { personId: own, principalId: person.id, sealedEmail, ...said }, context));
    return done.ok ? { ok: true, data: await viewOf(this.vault, context.siteId, own, done.states.settings), position: done.position } : done;
  }
}

@CommandHandler(PutChannels)
export class PutChannelsHandler implements ICommandHandler<PutChannels> {
  constructor(private readonly executor: Executor) {}

  async execute({ channels, context }: PutChannels): Promise<Outcome<ChannelsView>> {
    const done = await this.executor.execute(refs(context), context, ({ settings }) => changeChannels(settings, channels, context));
    return done.ok ? { ok: true, data: { channels: [...done.states.settings.channels] as ChannelsView['channels'] }, position: done.position } : done;
  }
}

@CommandHandler(SubscribePush)
export class SubscribePushHandler implements ICommandHandler<SubscribePush> {
  constructor(private readonly executor: Executor, private readonly vault: Vault) {}

  /** A browser that subscribes again has the same id: what its endpoint is, digested. */
  async execute({ subscription, person, context }: SubscribePush): Promise<Outcome<PushSubscribedView>> {
    const errors = browserKeyProblems(subscription);
    if (errors.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'This is no subscription as a browser hands it out.', { errors });
    const own = personId(person);
    const subscriptionId = createHash('sha256').update(subscription.endpoint).digest('hex').slice(0, 32);
    const sealed = await sealAddress(this.vault, context.siteId, own, subscription);
    const done = await this.executor.execute(refs(context), context, ({ settings }) => subscribePush(settings, { personId: own, principalId: person.id }, subscriptionId, sealed, context));
    return done.ok ? { ok: true, data: { subscriptionId }, position: done.position } : done;
  }
}

@CommandHandler(UnsubscribePush)
export class UnsubscribePushHandler implements ICommandHandler<UnsubscribePush> {
  constructor(private readonly executor: Executor) {}

  async execute({ subscriptionId, person, context }: UnsubscribePush): Promise<Outcome<PushSubscribedView>> {
    const done = await this.executor.execute(refs(context), context, ({ settings }) => unsubscribePush(settings, personId(person), subscriptionId, 'person', context));
    return done.ok ? { ok: true, data: { subscriptionId }, position: done.position } : done;
  }
}

@QueryHandler(GetPreferences)
export class GetPreferencesHandler implements IQueryHandler<GetPreferences> {
  constructor(private readonly executor: Executor, private readonly vault: Vault) {}

  async execute({ person, siteId }: GetPreferences): Promise<Outcome<PreferencesView>> {
    const { state, position } = await this.executor.current(notifySettings, siteId);
    return { ok: true, data: await viewOf(this.vault, siteId, personId(person), state), position };
  }
}

@QueryHandler(GetChannels)
export class GetChannelsHandler implements IQueryHandler<GetChannels> {
  constructor(private readonly executor: Executor) {}

  async execute({ siteId }: GetChannels): Promise<Outcome<ChannelsView>> {
    const { state, position } = await this.executor.current(notifySettings, siteId);
    return { ok: true, data: { channels: [...state.channels] as ChannelsView['channels'] }, position };
  }
}
