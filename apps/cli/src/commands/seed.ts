import { Command } from 'commander';
import { seedDemo } from '../demo/seed';
import type { Runner } from '../session';

export const seedCommand = (run: Runner): Command => {
  const seed = new Command('seed').description('fill a site with sample content');
  seed
    .command('demo')
    .description('add the demo collection and its products; what is there already stays as it is')
    .action(
      run(async (session) => {
        const seeded = await seedDemo(session.harness);
        const summary = `Collection products: ${seeded.collection}. Items: ${seeded.created.length} created, ${seeded.present.length} there already.`;
        session.print(seeded, summary);
      }),
    );
  return seed;
};
