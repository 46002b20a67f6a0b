import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { randomUUID } from 'node:crypto';
import { childSettings, serve } from '../child.ts';
import { closedLoop } from '../closed-loop.ts';

/** LangGraph with its PostgreSQL checkpointer: a graph that decides, is interrupted, is resumed with the decision, and acts. No HTTP, no server. */
const { host, port, user, database } = childSettings().connection;
const saver = PostgresSaver.fromConnString(`postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`);
await saver.setup();

const State = Annotation.Root({ decision: Annotation(), approved: Annotation(), done: Annotation() });
const graph = new StateGraph(State)
  .addNode('decide', async () => ({ decision: 'ask' }))
  .addNode('gate', async () => ({ approved: interrupt({ tool: 'note', arguments: { note: 'hello' } }) }))
  .addNode('act', async ({ approved }) => ({ done: approved }))
  .addEdge(START, 'decide')
  .addEdge('decide', 'gate')
  .addEdge('gate', 'act')
  .addEdge('act', END)
  .compile({ checkpointer: saver });

serve({
  cycles: (load) =>
    closedLoop(load, () => async () => {
      // Each step is stored before the next begins; by default the last one may be lost.
      const thread = { configurable: { thread_id: randomUUID() }, durability: 'sync' };
      const asked = await graph.invoke({ decision: null }, thread);
      if (!asked.__interrupt__) throw new Error('The graph was not interrupted');
      const { done } = await graph.invoke(new Command({ resume: true }), thread);
      if (!done) throw new Error('The graph did not act');
    }),
});
