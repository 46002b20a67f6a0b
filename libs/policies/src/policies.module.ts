import { Module } from '@nestjs/common';
import { GetPoliciesHandler } from './get-policies/get-policies.handler';
import { PoliciesController } from './policies.controller';
import { PutPoliciesHandler } from './put-policies/put-policies.handler';
import { TestPoliciesHandler } from './test-policies/test-policies.handler';

@Module({ controllers: [PoliciesController], providers: [GetPoliciesHandler, PutPoliciesHandler, TestPoliciesHandler] })
export class PoliciesModule {}
