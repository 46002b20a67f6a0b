import { Global, Module } from '@nestjs/common';
import { RunTokenVerifier } from '@app/sites/contract';
import { Vault } from '@app/vault';
import { RunTokenIssuer } from './contract';
import { RunTokens } from './run-tokens';
import { RunTokensController } from './run-tokens.controller';

/** Global, because the HTTP door proves the tokens that this one issues. */
@Global()
@Module({
  controllers: [RunTokensController],
  providers: [{ provide: RunTokens, inject: [Vault], useFactory: (vault: Vault) => new RunTokens(vault) }, { provide: RunTokenVerifier, useExisting: RunTokens }, { provide: RunTokenIssuer, useExisting: RunTokens }],
  exports: [RunTokenIssuer, RunTokenVerifier],
})
export class RunTokensModule {}
