import type { CdcSubscription, CdcSubscriptionStatus, NewCdcSubscription } from '@app/sdk';
import { Command, Option } from 'commander';
import { collected } from '../collected';
import { listOf } from '../list-of';
import { UsageError, type Runner } from '../session';
import { table } from '../table';

const placeOf = ({ target }: CdcSubscription): string => (target.type === 'webhook' ? target.url : target.type === 'nats' ? target.subject : target.address);
const cells = (subscription: CdcSubscription) => {
  const { id, name, types, categories, format, fromPosition } = subscription;
  return [id, name, placeOf(subscription), types?.join(',') ?? categories?.join(',') ?? 'all', format, fromPosition];
};
const inWords = ({ id, status, position, lag, attempts, lastError, nextAttemptAt }: CdcSubscriptionStatus): string =>
  `${id} is ${status}: all was delivered up to position ${position}, ${lag ?? 'an unknown number of'} events wait.` +
  (lastError === null ? '' : `\nTried ${attempts} times, next at ${nextAttemptAt ?? 'once'}: ${lastError.code} ${lastError.detail}`);

type CreateOptions = { webhook?: string; nats?: string; syslog?: string; secret?: string; types?: string[]; categories?: string[]; format?: NewCdcSubscription['format']; from?: string };

/** Exactly one place is named. */
const targetOf = ({ webhook, nats, syslog, secret }: CreateOptions): NewCdcSubscription['target'] => {
  if ([webhook, nats, syslog].filter((place) => place !== undefined).length !== 1) throw new UsageError('Name one place: --webhook, --nats or --syslog.');
  if (webhook !== undefined) return { type: 'webhook', url: webhook, ...(secret !== undefined && { secret }) };
  return nats !== undefined ? { type: 'nats', topic: nats } : { type: 'syslog', address: syslog! };
};

export const subscriptionsCommand = (run: Runner): Command => {
  const subscriptions = new Command('subscriptions').description('who is sent the events of the site');

  subscriptions
    .command('list')
    .description('with what each is sent')
    .action(
      run(async (session) => {
        const rows = await collected(session.harness.cdc.each());
        session.print(rows, table(['SUBSCRIPTION', 'NAME', 'TO', 'EVENTS', 'FORMAT', 'FROM'], rows.map(cells), 'No subscriptions.'));
      }),
    );

  subscriptions
    .command('status <subscription>')
    .description('how far it is, and what keeps it from going on')
    .action(
      run(async (session, [id = '']) => {
        const status = await session.harness.cdc.get(id);
        session.print(status, inWords(status));
      }),
    );

  subscriptions
    .command('create <name>')
    .description('deliver what happens from now on; a secret that is made for it is printed once')
    .option('--webhook <url>', 'to this address, signed')
    .option('--nats <topic>', 'to this topic of the broker')
    .option('--syslog <address>', 'to this address, for example tls://siem.example.org:6514')
    .option('--secret <name>', 'sign with this secret, secret://name, in place of a new one')
    .option('--types <list>', 'these events only, separated by commas', listOf)
    .option('--categories <list>', 'events of these streams only, separated by commas', listOf)
    .addOption(new Option('--format <format>', 'how events are written').choices(['cloudevents', 'json', 'cef']))
    .option('--from <position>', 'begin there in place of now; 1 is the whole history')
    .action(
      run(async (session, [name = ''], options) => {
        const { types, categories, format, from, ...place } = options as CreateOptions;
        const wanted = { name, target: targetOf(place), ...(types && { types }), ...(categories && { categories }), ...(format && { format }), ...(from !== undefined && { fromPosition: from }) };
        const { data } = await session.harness.cdc.create(wanted);
        session.print(data, data.secret === null ? data.id : `${data.id}\n${data.secret}\nKeep it now: it is not shown again.`);
      }),
    );

  subscriptions
    .command('replay <subscription> <position>')
    .description('deliver again from a position on; one that lies ahead passes over what is in between')
    .action(
      run(async (session, [id = '', fromPosition = '']) => {
        const { data } = await session.harness.cdc.replay(id, { fromPosition });
        session.print(data, `${data.name} is delivered again from position ${data.fromPosition} on.`);
      }),
    );

  subscriptions
    .command('delete <subscription>')
    .description('nothing is delivered any more')
    .action(
      run(async (session, [id = '']) => {
        const { data } = await session.harness.cdc.delete(id);
        session.print(data, `${id} is deleted.`);
      }),
    );
  return subscriptions;
};
