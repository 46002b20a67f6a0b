import { Injectable } from '@nestjs/common';
import { LlmJudge } from './contract';
import { noLlm } from './evaluate/evaluate.policy';
import type { JudgeEvaluator } from './evaluator.schema';

/** A server without a language model never pretends to have an opinion. */
@Injectable()
export class NoLlmJudge extends LlmJudge {
  override judge = ({ id }: JudgeEvaluator) => Promise.resolve(noLlm(id));
}
