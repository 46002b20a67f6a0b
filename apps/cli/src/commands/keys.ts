import type { ApiKey, IssuedApiKey, NewApiKey } from '@app/sdk';
import { Argument, Command, Option } from 'commander';
import { collected } from '../collected';
import { listOf } from '../list-of';
import type { Runner } from '../session';
import { table } from '../table';

const ONCE = 'Keep it now: it is not shown again.';
/** A retried request may answer without the secret: the first answer, which held it, was lost on the way. */
const secretText = ({ id, key, notice }: IssuedApiKey): string =>
  key === null ? `${id}\n${notice ?? 'The secret is not shown again.'}\nRotate the key to get a new one.` : `${id}\n${key}\n${ONCE}`;

const idArgument = () => new Argument('<id>', 'id of the key, key_…');

type IssueOptions = { kind: NewApiKey['kind']; capabilities: string[]; agentRole?: string; roles?: ('admin' | 'veto')[]; expires?: string };

export const keysCommand = (run: Runner): Command => {
  const keys = new Command('keys').description('issue, list, rotate and revoke API keys');

  keys
    .command('issue <name>')
    .description('issue a key; the secret is printed once')
    .addOption(new Option('--kind <kind>', 'who will use it').choices(['human', 'agent', 'service']).makeOptionMandatory())
    .requiredOption('--capabilities <list>', 'separated by commas, for example items:read,items:write', listOf)
    .option('--agent-role <role>', 'the role an agent works in')
    .option('--roles <list>', 'admin, veto', listOf)
    .option('--expires <instant>', 'ISO 8601, for example 2027-01-31T00:00:00Z')
    .action(
      run(async (session, [name = ''], options) => {
        const { kind, capabilities, agentRole, roles, expires } = options as unknown as IssueOptions;
        const wanted = { name, kind, capabilities, agentRole, roles, expiresAt: expires };
        const { data } = await session.harness.apiKeys.create(wanted);
        session.print(data, secretText(data));
      }),
    );

  keys
    .command('list')
    .description('list the keys of the site, without their secrets')
    .action(
      run(async (session) => {
        const rows = await collected(session.harness.apiKeys.each({ limit: 200 }));
        const cells = rows.map((key) => [key.id, key.name, key.kind, key.capabilities.join(','), stateOf(key), key.lastUsedAt ?? 'never']);
        session.print(rows, table(['ID', 'NAME', 'KIND', 'CAPABILITIES', 'STATE', 'LAST USED'], cells));
      }),
    );

  keys
    .command('rotate')
    .addArgument(idArgument())
    .description('give a key a new secret; the old one stops working')
    .action(
      run(async (session, [id = '']) => {
        const { data } = await session.harness.apiKeys.rotate(id);
        session.print(data, secretText(data));
      }),
    );

  keys
    .command('revoke')
    .addArgument(idArgument())
    .description('end a key for good')
    .action(
      run(async (session, [id = '']) => {
        const { position } = await session.harness.apiKeys.revoke(id);
        session.print({ id, revoked: true, position }, `${id} is revoked.`);
      }),
    );
  return keys;
};

const stateOf = ({ revokedAt, expiresAt }: ApiKey): string =>
  revokedAt !== null ? 'revoked' : expiresAt === null ? 'active' : `expires ${expiresAt}`;
