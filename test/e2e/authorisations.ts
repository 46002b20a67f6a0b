import { capabilitiesOf, principal, type PrincipalEvent, type PrincipalState } from '@app/sites/contract';
import { freezeOf, governance, toolOf, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { covers, type Event } from '@app/kernel';
import type { Body } from './server';

/** One row of the log, in the order of positions. */
export type LogRow = { readonly position: string; readonly stream_id: string; readonly type: string; readonly data: Body };
export type Violation = { readonly position: string; readonly why: string };
export type Judged = { readonly authorised: number; readonly started: number; readonly violations: readonly Violation[] };

const FAR = new Date('2100-01-01T00:00:00Z');

/**
 * Walks through the whole log and asks of every authorisation whether the rules that were in force just before its position allowed it, and
 * whether it was decided on exactly these rules. It reads events only, and knows nothing of what the processes believed.
 */
export const judge = (rows: readonly LogRow[], siteId: string): Judged => {
  let site: Governance = governance.initial;
  let version = 0;
  const principals = new Map<string, PrincipalState>();
  const runs = new Map<string, { readonly agentRole?: string; readonly principalId?: string }>();
  const violations: Violation[] = [];
  const counts = { authorised: 0, started: 0 };
  for (const { position, stream_id: stream, type, data } of rows) {
    const found = (why: string) => violations.push({ position, why });
    const id = stream.slice(stream.indexOf('-') + 1);
    const event = { type, data } as Event;
    if (stream === `governance-${siteId}`) {
      site = governance.evolve(site, event as GovernanceEvent);
      version++;
    } else if (stream.startsWith('principal-')) principals.set(id, principal.evolve(principals.get(id) ?? principal.initial, event as PrincipalEvent));
    else if (type === 'RunStarted' || type === 'RunQueued') {
      counts.started++;
      const known = runs.get(id);
      // A queued run has its envelope before a worker takes it; one that is taken under a freeze is told so by the door.
      runs.set(id, { ...known, agentRole: data.agentRole as string });
      const freeze = !known && site.status === 'site' && freezeOf(site, data as { agentRole?: string });
      if (freeze) found(`run created under the freeze of ${freeze.scope} ${freeze.targetId ?? ''}`);
    } else if (type === 'EnvelopeSealed') runs.set(id, { ...runs.get(id), principalId: data.envelope.principalId as string });
    else if (type === 'ToolCallAuthorised') {
      counts.authorised++;
      const run = runs.get(id)!;
      if (site.status === 'none') throw new Error('A call before its site');
      const freeze = freezeOf(site, run);
      if (freeze) found(`authorised under the freeze of ${freeze.scope} ${freeze.targetId ?? ''}`);
      const tool = toolOf(site, data.tool as string);
      if (!tool?.enabled) found('authorised although the tool was disabled');
      const held = capabilitiesOf(principals.get(run.principalId!)!, FAR);
      if (!tool?.requiredCapabilities.every((wanted) => covers(held, wanted))) found('authorised although the capability was revoked');
      if (data.governanceVersion !== version) found(`decided on rules ${data.governanceVersion} while ${version} were in force`);
      if (JSON.stringify(data.inputs.capabilities) !== JSON.stringify(held)) found('decided on capabilities that were not held at that position');
    }
  }
  return { ...counts, violations };
};
