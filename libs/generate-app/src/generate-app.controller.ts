import { Body, Controller, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { GenerateApp, GenerateAppBody, GeneratedApp } from './generate-app/generate-app.command';

@Controller('agent/generate-app')
export class GenerateAppController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @RequireCapability('artifacts:write')
  @ApiAnswer(GeneratedApp, { status: 201, description: 'The four artifacts, drafted and evaluated; nothing else has changed' })
  async generate(@Body({ schema: GenerateAppBody }) body: GenerateAppBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new GenerateApp(body, caller.principal, (step) => caller.context(step))));
  }
}
