import { Body, Controller, Get, Put } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { ChangeSettings, ChangeSettingsBody } from './change-settings/change-settings.command';
import { GetSettings } from './get-settings/get-settings.query';
import { SettingsView } from './settings.view';

@Controller('settings')
export class SettingsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiAnswer(SettingsView)
  async get(@Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetSettings(siteId)));
  }

  @Put()
  @RequireCapability('settings:write')
  @ApiAnswer(SettingsView)
  async put(@Body({ schema: ChangeSettingsBody }) body: ChangeSettingsBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ChangeSettings(body, caller.context())));
  }
}
