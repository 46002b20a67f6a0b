export { PoliciesModule } from './policies.module';
