import type { Consumers, Database, Executor } from '@app/event-store';
import { ChannelSink, DecisionLinks, EmailSink, NotificationDispatcher, notificationProcess, Outbox, PushSink, sinks } from '@app/notifications';
import { OutboundHttp } from '@app/outbound';
import type { Vault } from '@app/vault';
import { SignedWebhook, VaultSigningSecret } from '@app/webhooks';

/** How people are reached. */
export type Reach = {
  /** Where they reach this installation. */
  readonly publicUrl: string;
  /** Unset: no mail is sent, and each attempt says so. */
  readonly smtpUrl?: string | undefined;
  readonly mailFrom: string;
};

export type NotificationsOptions = { readonly db: Database; readonly consumers: Consumers; readonly executor: Executor; readonly vault: Vault; readonly reach: Reach; readonly onError: (error: unknown) => void };

/** Hears what happened and tells whoever wants to know. */
export const notifications = ({ db, consumers, executor, vault, reach, onError }: NotificationsOptions) => {
  const outbox = new Outbox();
  const outbound = new OutboundHttp();
  const email = new EmailSink(reach.smtpUrl, reach.mailFrom);
  const links = new DecisionLinks(vault, executor, () => reach.publicUrl);
  const dispatcher = new NotificationDispatcher({
    db, executor, outbox, onError, linksFor: links.for,
    send: sinks({
      executor, vault, email, push: new PushSink(vault, outbound, contactOf(reach)),
      channel: new ChannelSink(new SignedWebhook({ outbound, secrets: vault, signing: new VaultSigningSecret(vault) })),
    }),
  });
  return {
    start: () => {
      consumers.subscribe(notificationProcess({ executor, outbox, wake: dispatcher.wake }));
      dispatcher.start();
    },
    stop: async () => {
      await dispatcher.stop();
      await email.close();
    },
  };
};

/** Whom push services may write to about this sender (RFC 8292). */
export const contactOf = ({ mailFrom }: Pick<Reach, 'mailFrom'>): string => `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
