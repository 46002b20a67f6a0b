export { AutonomyModule } from './autonomy.module';
