import type { NewUser, User } from '@app/sdk';
import { Command } from 'commander';
import { collected } from '../collected';
import { listOf } from '../list-of';
import type { Runner } from '../session';
import { table } from '../table';

const cells = ({ id, name, email, status, capabilities, roles, keys }: User) => [id, name, email, status, capabilities.join(','), roles.join(','), keys];

type InviteOptions = Pick<NewUser, 'capabilities' | 'roles'>;

export const usersCommand = (run: Runner): Command => {
  const users = new Command('users').description('the people of the site, and what they may do at most');

  users
    .command('list')
    .description('with how many keys they have')
    .option('--status <status>', 'invited, active or removed only')
    .action(
      run(async (session, _args, { status }) => {
        const rows = await collected(session.harness.users.each({ status: status as User['status'] | undefined }));
        session.print(rows, table(['USER', 'NAME', 'E-MAIL', 'STATUS', 'CAPABILITIES', 'ROLES', 'KEYS'], rows.map(cells), 'No users.'));
      }),
    );

  users
    .command('invite <email> <name>')
    .description('at most with what the inviter holds')
    .option('--capabilities <list>', 'separated by commas, for example approvals:decide,items:read', listOf)
    .option('--roles <list>', 'admin, veto', listOf)
    .action(
      run(async (session, [email = '', name = ''], options) => {
        const { data } = await session.harness.users.invite({ email, name, ...(options as InviteOptions) });
        session.print(data, `${data.id} is invited.`);
      }),
    );

  users
    .command('remove <user>')
    .description('all their keys stop working at once')
    .action(
      run(async (session, [userId = '']) => {
        const { data } = await session.harness.users.remove(userId);
        session.print(data, `${userId} is removed.`);
      }),
    );
  return users;
};
