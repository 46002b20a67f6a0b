import { setImmediate as letOthersRun } from 'node:timers/promises';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ListCollections, ListItems } from '@app/content/contract';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { accept, missing, type Outcome, type Rejected } from '@app/kernel';
import { constitution, type KnownConstitution } from '../constitution.state';
import { Constitutions } from '../constitutions';
import { DryRunConstitution } from './dry-run-constitution.command';
import { dryRunReport, type ExaminedItem } from './dry-run.policy';
import type { DryRun } from './dry-run.view';

const MAX_COLLECTIONS = 50;

@CommandHandler(DryRunConstitution)
export class DryRunConstitutionHandler implements ICommandHandler<DryRunConstitution> {
  constructor(
    private readonly bus: Bus,
    private readonly executor: Executor,
    private readonly constitutions: Constitutions,
  ) {}

  /** Reads content and writes none: the only trace is that the version was tried. */
  async execute({ constitutionId, body, context, minPosition }: DryRunConstitution): Promise<Outcome<DryRun>> {
    const known = await this.constitutions.find(constitutionId, context.siteId);
    if (!known) return missing();
    const collections = body.collections ?? (await this.allCollections(context.siteId, minPosition));
    const items: ExaminedItem[] = [];
    for (const collection of collections) {
      const examined = await this.examine(known, collection, body.limit, context.siteId, minPosition);
      if (!examined.ok) return examined;
      items.push(...examined.items);
    }
    const { hash, evaluators } = known;
    const report = dryRunReport(evaluators, items);
    const { examined, blocked, warned } = report;
    const recorded = await this.executor.execute({ constitution: { aggregate: constitution, id: constitutionId } }, context, () =>
      accept({ constitution: [{ type: 'ConstitutionDryRun', data: { hash, collections: [...collections], examined, blocked, warned } }] }),
    );
    return recorded.ok ? { ok: true, data: { constitutionId, hash, collections: [...collections], ...report }, position: recorded.position } : recorded;
  }

  /** One turn of the event loop per item: a large dry run delays nobody else's request by more than one item's evaluation. */
  private async examine(
    known: KnownConstitution,
    collection: string,
    limit: number,
    siteId: string,
    minPosition: bigint | undefined,
  ): Promise<{ readonly ok: true; readonly items: readonly ExaminedItem[] } | Rejected> {
    const page = await this.bus.ask(new ListItems({ collection, limit }, { siteId }, minPosition));
    if (!page.ok) return page;
    const items: ExaminedItem[] = [];
    for (const { id, data } of page.data.rows) {
      await letOthersRun();
      const evaluated = await this.constitutions.evaluate(known, { collection, data });
      if (!evaluated.ok) return evaluated;
      items.push({ collection, itemId: id, results: evaluated.results });
    }
    return { ok: true, items };
  }

  private async allCollections(siteId: string, minPosition: bigint | undefined): Promise<readonly string[]> {
    const page = await this.bus.ask(new ListCollections({ limit: MAX_COLLECTIONS }, { siteId }, minPosition));
    return page.ok ? page.data.rows.map(({ name }) => name) : [];
  }
}
