import { Command } from 'commander';
import type { Runner } from '../session';
import { aligned } from '../table';
import { timeline } from '../timeline';

export const runCommand = (run: Runner): Command =>
  new Command('run')
    .description('the timeline of a run, one line per event')
    .argument('<runId>')
    .action(
      run(async (session, [runId = '']) => {
        const handle = session.harness.run(runId);
        const [view, events] = await Promise.all([handle.get(), handle.events()]);
        const lines = timeline(events);
        const heading = `${runId}  ${view.agentName}  ${view.status}${view.stopReason ? ` (${view.stopReason})` : ''}`;
        session.print({ run: view, events }, `${heading}\n${aligned(lines)}`);
      }),
    );
