import type { Promotion } from '@app/sdk';
import { Argument, Command } from 'commander';
import { collected } from '../collected';
import type { Runner } from '../session';
import { table } from '../table';

const cells = ({ id, status, agentRole, capability, from, to, expiresAt }: Promotion) => [id, status, agentRole, capability, `${from} to ${to}`, status === 'pending' ? expiresAt : ''];

export const promotionsCommand = (run: Runner): Command => {
  const promotions = new Command('promotions').description('trust that roles have earned');

  promotions
    .command('list')
    .description('proposals that wait, newest first')
    .option('--status <status>', 'others than those that wait')
    .action(
      run(async (session, _args, { status }) => {
        const rows = await collected(session.harness.promotions.each({ status: status as Promotion['status'] | undefined }));
        session.print(rows, table(['PROMOTION', 'STATUS', 'ROLE', 'CAPABILITY', 'LEVEL', 'EXPIRES'], rows.map(cells), 'No promotions.'));
      }),
    );

  promotions
    .command('check')
    .description('look at every role now; a proposal changes no level')
    .action(
      run(async (session) => {
        const { data } = await session.harness.promotions.check();
        session.print(data, `${data.examined} looked at, ${data.proposed.length} proposed, ${data.withdrawn.length} withdrawn.`);
      }),
    );

  promotions
    .command('decide')
    .description('decide one; an approved level holds from then on')
    .argument('<promotion>')
    .addArgument(new Argument('<decision>').choices(['approved', 'rejected']))
    .option('--reason <text>', 'for the record')
    .action(
      run(async (session, [promotion = '', decision], { reason }) => {
        const { data } = await session.harness.promotions.decide(promotion, { decision: decision as 'approved' | 'rejected', ...(reason !== undefined && { reason: String(reason) }) });
        session.print(data, `${data.agentRole} is at level ${data.level} for ${data.capability}.`);
      }),
    );
  return promotions;
};
