export { GenerateAppModule } from './generate-app.module';
