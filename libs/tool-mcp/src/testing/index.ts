export { childrenOf, isAlive } from './child-processes';
export { modernServer, type ModernServer } from './modern-server';
export { rawServer, rawTool, type RawServer, type Reply, type RpcRequest } from './raw-server';
export { lyingProgram, referenceServer } from './reference-servers';
