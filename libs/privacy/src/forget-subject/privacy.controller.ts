import { Body, Controller, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { ForgetSubject, ForgetSubjectBody, ForgottenSubject } from './forget-subject.command';

@Controller('privacy')
export class PrivacyController {
  constructor(private readonly bus: Bus) {}

  @Post('forget')
  @RequireCapability('privacy:forget')
  @ApiAnswer(ForgottenSubject)
  async forget(@Body({ schema: ForgetSubjectBody }) body: ForgetSubjectBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ForgetSubject(body, caller.principal, caller.context)));
  }
}
