export { ForgetSubject, ForgetSubjectBody, ForgottenSubject } from './forget-subject/forget-subject.command';
