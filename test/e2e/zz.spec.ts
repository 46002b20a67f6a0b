import { it } from '@jest/globals';
import { z } from 'zod';
import { testServer } from './server';
import { recordingRoutes } from './routes';
it('x', async () => {
  const [server, routes] = await recordingRoutes(() => testServer());
  console.log(routes.map((r) => `${r.method} ${r.path}`).join('\n'));
  const doc = (await server.admin('GET', '/openapi.json')).body;
  console.log(Object.entries(doc.paths).flatMap(([p, i]: any) => Object.keys(i).map((m) => `${m} ${p}`)).join('\n'));
  console.log(JSON.stringify(doc.paths['/api/v1/agent/goals'], null, 1));
  const made = z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}`, unrepresentable: 'any', io: 'input', target: 'draft-2020-12' }).schemas as any;
  console.log(Object.keys(doc.components.schemas).join(), '\n', Object.keys(made).join());
  console.log(JSON.stringify(doc.components.schemas.CreateGoal), JSON.stringify(made.CreateGoal));
  console.log(JSON.stringify(doc.components.schemas.Run ?? null), JSON.stringify(made.Run ?? null));
  await server.close();
});
