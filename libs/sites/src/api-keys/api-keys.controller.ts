import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, OneTimeAnswer, orProblem, RequireCapability } from '@app/http';
import { z } from 'zod';
import { ApiKeyView } from './api-key.view';
import { ChangeApiKey, ChangeApiKeyBody, IssueApiKey, IssueApiKeyBody, IssuedKey, RevokeApiKey, RotateApiKey } from './api-keys.command';
import { ListApiKeys } from './list-api-keys.query';

const KeysQuery = ListQuery.omit({ sort: true });
const RevokedKey = z.object({ id: z.string(), revoked: z.literal(true) }).meta({ id: 'RevokedApiKey' });
const ChangedKey = z.object({ id: z.string(), capabilities: z.array(z.string()), roles: z.array(z.string()) }).meta({ id: 'ChangedApiKey' });

@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @RequireCapability('api-keys:create')
  @ApiAnswer(IssuedKey, { status: 201 })
  @OneTimeAnswer('key')
  async issue(@Body({ schema: IssueApiKeyBody }) body: IssueApiKeyBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new IssueApiKey(body, caller.principal, caller.context())));
  }

  @Get()
  @RequireCapability('api-keys:read')
  @ApiList(ApiKeyView)
  async list(@Query({ schema: KeysQuery }) { limit, cursor }: z.infer<typeof KeysQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListApiKeys(siteId, { limit, cursor, minPosition })));
  }

  @Put(':keyId')
  @RequireCapability('api-keys:write')
  @ApiAnswer(ChangedKey)
  async change(@Param('keyId') keyId: string, @Body({ schema: ChangeApiKeyBody }) body: ChangeApiKeyBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ChangeApiKey(keyId, body, caller.principal, caller.context())));
  }

  @Post(':keyId/rotate')
  @RequireCapability('api-keys:write')
  @ApiAnswer(IssuedKey)
  @OneTimeAnswer('key')
  async rotate(@Param('keyId') keyId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new RotateApiKey(keyId, caller.principal, caller.context())));
  }

  @Delete(':keyId')
  @RequireCapability('api-keys:delete')
  @ApiAnswer(RevokedKey)
  async revoke(@Param('keyId') keyId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new RevokeApiKey(keyId, caller.principal, caller.context())));
  }
}
