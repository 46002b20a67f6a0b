import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { tool as langChainTool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { Agent, Runner, tool as agentsTool, type Model, type ModelResponse } from '@openai/agents-core';
import { generateText, isStepCount, tool as aiTool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { governAiSdkTools, governLangChainTools, governOpenAIAgentsTools, type GovernOptions, type Run } from '../../libs/sdk/src';

/** What the scripted model asks for, one tool call a turn, and the sentence it ends with. */
export type Script = readonly { readonly tool: string; readonly input: Record<string, unknown> }[];
/** What the tools did on the agent's own machine, in order. */
export type Deeds = { readonly tool: string; readonly input: unknown }[];
export type AgentRun = (run: Run, script: Script, deeds: Deeds, options?: GovernOptions) => Promise<{ readonly heard: readonly unknown[]; readonly said: string }>;

const SAID = 'That is all.';
const TOOLS = {
  lookup: { description: 'Looks an order up', schema: z.object({ order: z.string() }) },
  refund: { description: 'Pays an order back', schema: z.object({ order: z.string(), amount: z.number() }) },
  wipe: { description: 'Deletes all orders', schema: z.object({}) },
};
type Name = keyof typeof TOOLS;
const NAMES = Object.keys(TOOLS) as Name[];
const deed = (deeds: Deeds, name: Name) => (input: unknown) => {
  deeds.push({ tool: name, input });
  return Promise.resolve({ done: name });
};

export const aiSdkTools = (deeds: Deeds) =>
  Object.fromEntries(NAMES.map((name) => [name, aiTool({ description: TOOLS[name].description, inputSchema: TOOLS[name].schema as z.ZodType<unknown>, execute: deed(deeds, name) })]));

export const scriptedModel = (script: Script) => {
  let turn = 0;
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  return new MockLanguageModelV4({
    doGenerate: () => {
      const step = script[turn++];
      return Promise.resolve(
        step
          ? { content: [{ type: 'tool-call' as const, toolCallId: `call_${turn}`, toolName: step.tool, input: JSON.stringify(step.input) }], finishReason: { unified: 'tool-calls' as const, raw: 'tool_calls' }, usage, warnings: [] }
          : { content: [{ type: 'text' as const, text: SAID }], finishReason: { unified: 'stop' as const, raw: 'stop' }, usage, warnings: [] },
      );
    },
  });
};

const aiSdk: AgentRun = async (run, script, deeds, options) => {
  const tools = governAiSdkTools(run, aiSdkTools(deeds), options);
  const { steps, text } = await generateText({ model: scriptedModel(script), tools, prompt: 'Go', stopWhen: isStepCount(10) });
  return { heard: steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output as unknown)), said: text };
};

/** A chat model that calls tools as its script says. */
class ScriptedChatModel extends FakeListChatModel {
  private turn = 0;

  constructor(private readonly script: Script) {
    super({ responses: [SAID] });
  }

  override bindTools() {
    return this;
  }

  override _generate() {
    const step = this.script[this.turn++];
    const message = step ? new AIMessage({ content: '', tool_calls: [{ id: `call_${this.turn}`, name: step.tool, args: step.input }] }) : new AIMessage(SAID);
    return Promise.resolve({ generations: [{ message, text: '' }] });
  }
}

const langGraph: AgentRun = async (run, script, deeds, options) => {
  const own = NAMES.map((name) => langChainTool(deed(deeds, name), { name, description: TOOLS[name].description, schema: TOOLS[name].schema as z.ZodObject }));
  const tools = governLangChainTools(run, own, options);
  const agent = createReactAgent({ llm: new ScriptedChatModel(script), tools });
  const { messages } = (await agent.invoke({ messages: [{ role: 'user', content: 'Go' }] }, { recursionLimit: 30 })) as { messages: BaseMessage[] };
  const heard = messages.filter((message) => message.getType() === 'tool').map(({ content }) => parsed(content as string));
  return { heard, said: messages.at(-1)!.content as string };
};

const openAiAgents: AgentRun = async (run, script, deeds, options) => {
  const own = NAMES.map((name) => agentsTool({ name, description: TOOLS[name].description, parameters: TOOLS[name].schema as z.ZodObject, execute: deed(deeds, name) }));
  let turn = 0;
  const model: Model = {
    getResponse: (): Promise<ModelResponse> => {
      const step = script[turn++];
      const output: ModelResponse['output'] = step
        ? [{ type: 'function_call', callId: `call_${turn}`, name: step.tool, arguments: JSON.stringify(step.input), status: 'completed' }]
        : [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: SAID }] }];
      return Promise.resolve({ output, usage: { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 } as ModelResponse['usage'] });
    },
    getStreamedResponse: () => {
      throw new Error('This model does not stream');
    },
  };
  const agent = new Agent({ name: 'scripted', model, tools: governOpenAIAgentsTools(run, own, options) });
  const { newItems, finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, 'Go');
  const heard = newItems.flatMap((item) => (item.type === 'tool_call_output_item' ? [parsed(item.output)] : []));
  return { heard, said: String(finalOutput) };
};

const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

/** The same agent three times, on the real packages. */
export const AGENTS = { 'the AI SDK': aiSdk, LangGraph: langGraph, 'OpenAI Agents': openAiAgents } satisfies Record<string, AgentRun>;
