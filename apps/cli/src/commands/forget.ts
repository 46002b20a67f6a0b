import { Command } from 'commander';
import type { Runner } from '../session';

export const forgetCommand = (run: Runner): Command =>
  new Command('forget')
    .argument('<subject>')
    .description('destroy the key of a run (run_…) or a memory (mem_…): its words cannot be read any more, anywhere')
    .action(
      run(async (session, [subject = '']) => {
        const { data } = await session.harness.privacy.forget(subject);
        session.print(data, `Forgotten: ${data.subject}, also in ${data.alsoIn.approvals} approvals, ${data.alsoIn.changes} staged changes and ${data.alsoIn.goals} goals`);
      }),
    );
