export { Bus } from './bus';
export { CqrsModule } from './cqrs.module';
