import { Module } from '@nestjs/common';
import { AddPolicyHandler } from './add-policy/add-policy.handler';
import { GetPoliciesHandler } from './get-policies/get-policies.handler';
import { PoliciesController } from './policies.controller';
import { PutPoliciesHandler } from './put-policies/put-policies.handler';
import { RemovePolicyHandler } from './remove-policy/remove-policy.handler';
import { TestPoliciesHandler } from './test-policies/test-policies.handler';

@Module({ controllers: [PoliciesController], providers: [GetPoliciesHandler, PutPoliciesHandler, AddPolicyHandler, RemovePolicyHandler, TestPoliciesHandler] })
export class PoliciesModule {}
