import type { CallInFlight, Freeze, KillOrder } from '@app/sdk';
import { Argument, Command } from 'commander';
import type { Runner } from '../session';
import { table } from '../table';

const SCOPES: readonly KillOrder['scope'][] = ['run', 'intent', 'role', 'site'];

const whatOf = ({ scope, targetId }: Pick<Freeze, 'scope' | 'targetId'>): string => (targetId === null ? `the ${scope}` : `${scope} ${targetId}`);
const stateOf = ({ liftedAt, endedAt }: Freeze): string => (endedAt === null ? 'in force' : liftedAt === null ? `ended ${endedAt}` : `lifted ${liftedAt}`);
const cells = (freeze: Freeze) => [freeze.freezeId, whatOf(freeze), stateOf(freeze), freeze.frozenAt, freeze.by.id, freeze.reason];
const goingOn = (calls: readonly CallInFlight[]): string =>
  calls.length === 0 ? 'No call is under way.' : `${calls.length} calls were let through before and go on:\n${calls.map(({ callId, tool, runId }) => `  ${callId} ${tool} of ${runId}`).join('\n')}`;

export const killSwitchCommand = (run: Runner): Command => {
  const killSwitch = new Command('kill-switch').description('stop agents at once, in every process');

  killSwitch
    .command('status')
    .description('what is frozen, what still goes on, and what was frozen before')
    .action(
      run(async (session) => {
        const freezes = await session.harness.killSwitch.get();
        const rows = table(['FREEZE', 'WHAT', 'STATE', 'SINCE', 'BY', 'REASON'], freezes.history.map(cells), 'Nothing was ever frozen.');
        session.print(freezes, freezes.active.length === 0 ? rows : `${rows}\n${goingOn(freezes.active.flatMap(({ inFlight }) => inFlight))}`);
      }),
    );

  killSwitch
    .command('kill')
    .description('freeze an intent, a role or the site until that is lifted, or cancel a run')
    .addArgument(new Argument('<scope>').choices([...SCOPES]))
    .argument('[target]', 'which run, intent or role')
    .option('--reason <text>', 'for the record')
    .action(
      run(async (session, [scope, target], { reason }) => {
        const order = { scope: scope as KillOrder['scope'], ...(target !== undefined && { targetId: target }), ...(reason !== undefined && { reason: String(reason) }) };
        const { data } = await session.harness.killSwitch.kill(order);
        const done = data.freezeId === null ? `${data.targetId} is cancelled` : `${data.freezeId} freezes ${whatOf(data)}`;
        session.print(data, `${done}; from position ${data.effectiveAt} on nothing is let through. ${goingOn(data.inFlight)}`);
      }),
    );

  killSwitch
    .command('lift <freeze>')
    .description('let a frozen intent, role or site go on')
    .action(
      run(async (session, [freezeId = '']) => {
        const { data } = await session.harness.killSwitch.lift({ freezeId });
        session.print(data, `${data.freezeId} is lifted.`);
      }),
    );
  return killSwitch;
};
