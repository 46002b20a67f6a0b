import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { PeopleGuard } from '../people.guard';
import { ExplainEdit, ExplainEditBody, ExplainedEdit } from './explain-edit.command';

@Controller('items')
@UseGuards(PeopleGuard)
export class ExplainEditController {
  constructor(private readonly bus: Bus) {}

  /** The save did not wait for this: it was answered with the question, and whoever made the edit answers when there is time. */
  @Post(':collection/:id/pins/answer')
  @HttpCode(200)
  @RequireCapability('items:update')
  @ApiAnswer(ExplainedEdit, { description: 'What was said of the edit, and the intents it was made against' })
  async post(
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Body({ schema: ExplainEditBody }) body: ExplainEditBody,
    @Caller() caller: Caller,
  ) {
    return orProblem(await this.bus.send(new ExplainEdit({ collection, id }, body, caller.context())));
  }
}
