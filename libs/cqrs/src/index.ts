export { Bus, type Surrounding } from './bus';
export { CqrsModule } from './cqrs.module';
