import type { Artifact, ArtifactSummary } from '@app/sdk';
import { Command } from 'commander';
import { collected } from '../collected';
import type { Runner } from '../session';
import { table } from '../table';

const cells = ({ id, type, title, status, version, publishedVersion }: ArtifactSummary) => [id, type, title, status, version, publishedVersion];
const HEADING = ['ARTIFACT', 'TYPE', 'TITLE', 'STATUS', 'VERSION', 'PUBLIC'];

/** What became of publishing or a rollback, in a sentence, and what people's work kept from going. */
const outcomeOf = ({ id, status, publishedVersion, application }: Artifact): string => {
  const kept = (application?.kept ?? []).map(({ what, reason }) => `\n  kept ${what}: ${reason}`).join('');
  if (application?.status === 'waiting') return `${id} waits for a decision about ${application.approvalId}; see \`harness approvals list\``;
  if (application?.status === 'applying') return `${id} is under way: ${application.done} of ${application.steps} steps; see \`harness run ${application.runId}\``;
  return `${id} is ${status.replaceAll('_', ' ')}; ${publishedVersion === null ? 'no version is public' : `version ${publishedVersion} is public`}.${kept}`;
};

export const artifactsCommand = (run: Runner): Command => {
  const artifacts = new Command('artifacts').description('what agents made, to be reviewed and published');

  artifacts
    .command('list')
    .description('newest first')
    .option('--status <status>', 'draft, in_review, approved, published or rolled_back')
    .option('--type <type>', 'of one type only')
    .option('--run <id>', 'of one run only')
    .action(
      run(async (session, _args, { status, type, run: runId }) => {
        const rows = await collected(session.harness.artifacts.each({ status: status as ArtifactSummary['status'], type: type as ArtifactSummary['type'], runId: runId as string }));
        session.print(rows, table(HEADING, rows.map(cells), 'No artifacts.'));
      }),
    );

  artifacts
    .command('publish <artifact>')
    .description('make its last version public, and what it describes')
    .option('--override <reason>', 'why it goes out although a check failed')
    .action(
      run(async (session, [artifact = ''], { override }) => {
        const { data } = await session.harness.artifacts.publish(artifact, override === undefined ? {} : { overrideReason: override as string });
        session.print(data, outcomeOf(data));
      }),
    );

  artifacts
    .command('rollback <artifact>')
    .description('take the public version back, and what publishing it made')
    .option('--reason <text>', 'for the record')
    .action(
      run(async (session, [artifact = ''], { reason }) => {
        const { data } = await session.harness.artifacts.rollback(artifact, reason === undefined ? {} : { reason: reason as string });
        session.print(data, outcomeOf(data));
      }),
    );

  artifacts
    .command('generate <template>')
    .description('draft an app, such as `ecommerce`, as four artifacts')
    .option('--name <name>', 'of the app')
    .action(
      run(async (session, [template = ''], { name }) => {
        const { data } = await session.harness.artifacts.generateApp({ template: template as 'ecommerce', ...(name !== undefined && { name: name as string }) });
        session.print(data, table(HEADING, data.artifacts.map(cells), 'Nothing was made.'));
      }),
    );
  return artifacts;
};
