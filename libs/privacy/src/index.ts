export { PrivacyModule } from './privacy.module';
export { subjectIn, subjectOfGoal, type Subject } from './subject.policy';
export { Traces, type ForgottenRun } from './traces';
