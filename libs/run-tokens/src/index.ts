export { RunTokensModule } from './run-tokens.module';
