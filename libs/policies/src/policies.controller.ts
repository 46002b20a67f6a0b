import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { GetPolicies } from './get-policies/get-policies.query';
import { PoliciesView } from './policies.view';
import { PutPolicies, PutPoliciesBody } from './put-policies/put-policies.command';
import { PolicyTestView } from './test-policies/policy-test.view';
import { TestPolicies, TestPoliciesBody } from './test-policies/test-policies.query';

@Controller('agent/policies')
export class PoliciesController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('policies:read')
  @ApiAnswer(PoliciesView)
  async get(@Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetPolicies(siteId)));
  }

  @Put()
  @RequireCapability('policies:write')
  @ApiAnswer(PoliciesView)
  async put(@Body({ schema: PutPoliciesBody }) body: PutPoliciesBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new PutPolicies(body, caller.context())));
  }

  @Post('test')
  @RequireCapability('policies:read')
  @ApiAnswer(PolicyTestView)
  async test(@Body({ schema: TestPoliciesBody }) body: TestPoliciesBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.ask(new TestPolicies(caller.siteId, body, caller.context().now)));
  }
}
