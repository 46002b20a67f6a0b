export { ChangeIntent } from './change-intent/change-intent.command';
export { CompiledIntent, CompileIntent, CompileIntentBody } from './compile/compile-intent.query';
export { CycleView } from './cycle/cycle.view';
export { RunCycle } from './cycle/run-cycle.command';
export { DeclareIntent } from './declare-intent/declare-intent.command';
export { DeletedIntent, DeleteIntent } from './delete-intent/delete-intent.command';
export { DriftView } from './drift-list/drift.view';
export { ListDrifts } from './drift-list/list-drifts.query';
export { GetIntent, ListIntents } from './intent-list/intent-queries.query';
export { IntentView } from './intent-list/intent.view';
export { intentEvents, type IntentEvent } from './intent.events';
export { ChangeIntentBody, DeclareIntentBody, IntentBudget, IntentDefinition, MaintenanceWindow, Rule, RULE_TYPES, type RuleType } from './intent.schema';
export { intent, type Intent } from './intent.state';
export { allDrifts, type Drift } from './open-drifts.state';
export { PauseIntent, PauseIntentBody } from './pause-intent/pause-intent.command';
export { isOpen, nextOpening } from './schedule/maintenance-window.policy';

/** Why a model gave no text. `detail` is a sentence without any secret. */
export class LanguageModelFailed extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'LanguageModelFailed';
  }
}

/** A model that answers texts with texts. */
export abstract class LanguageModel {
  /** Null when no provider is configured; then nothing is ever asked. */
  abstract readonly name: string | null;
  /** Throws `LanguageModelFailed` when the provider refuses, breaks off or takes too long. */
  abstract complete(question: { readonly system: string; readonly user: string }): Promise<string>;
}
