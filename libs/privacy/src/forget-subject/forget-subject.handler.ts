import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { reject, type Outcome } from '@app/kernel';
import { ForgetMemory } from '@app/memory/contract';
import { subjectIn } from '../subject.policy';
import { ForgetSubject, type ForgottenSubject } from './forget-subject.command';
import { RunForgetting } from './run-forgetting';

@CommandHandler(ForgetSubject)
export class ForgetSubjectHandler implements ICommandHandler<ForgetSubject> {
  constructor(
    private readonly bus: Bus,
    private readonly runs: RunForgetting,
  ) {}

  async execute({ body, principal, contextFor }: ForgetSubject): Promise<Outcome<ForgottenSubject>> {
    const subject = subjectIn(body.subject);
    if (!subject) return reject('invalid', 'VALIDATION_FAILED', 'Forgotten are runs and memories, named by their ids: run_… or mem_….', { errors: [{ pointer: '/subject', detail: 'run_… or mem_…' }] });
    if (subject.kind === 'mem') {
      const done = await this.bus.send(new ForgetMemory(subject.id, principal, contextFor('memory')));
      return done.ok ? { ...done, data: { subject: subject.id, alsoIn: { goals: 0, approvals: 0, changes: 0 } } } : done;
    }
    const done = await this.runs.forget(subject.id, contextFor);
    return done.ok ? { ...done, data: { subject: subject.id, alsoIn: done.data } } : done;
  }
}
