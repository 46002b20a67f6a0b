export { ChangeSettings, ChangeSettingsBody } from './change-settings/change-settings.command';
export { GetSettings } from './get-settings/get-settings.query';
export { SettingsView } from './settings.view';
