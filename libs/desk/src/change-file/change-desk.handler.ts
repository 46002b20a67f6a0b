import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DeskOwners } from '../desk-owners';
import { ChangeDesk } from './change-desk.command';
import { DeskExecutor } from './desk-executor';

@CommandHandler(ChangeDesk)
export class ChangeDeskHandler implements ICommandHandler<ChangeDesk> {
  constructor(
    private readonly owners: DeskOwners,
    private readonly executor: DeskExecutor,
  ) {}

  async execute({ change, asker, context }: ChangeDesk) {
    const found = await this.owners.of(asker, context);
    return found.ok ? this.executor.carryOutChange(change, found.owner, context) : found;
  }
}
