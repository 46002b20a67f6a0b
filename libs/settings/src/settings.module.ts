import { Module } from '@nestjs/common';
import { ChangeSettingsHandler } from './change-settings/change-settings.handler';
import { GetSettingsHandler } from './get-settings/get-settings.handler';
import { SettingsController } from './settings.controller';

@Module({ controllers: [SettingsController], providers: [ChangeSettingsHandler, GetSettingsHandler] })
export class SettingsModule {}
