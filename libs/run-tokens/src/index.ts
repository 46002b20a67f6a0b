export { RunTokens, type IssuedToken } from './run-tokens';
export { RunTokensModule } from './run-tokens.module';
