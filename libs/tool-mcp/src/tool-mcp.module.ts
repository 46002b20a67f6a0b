import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { SecretResolver } from '@app/vault';
import { Upstreams } from './connection/upstreams';
import { ImportMcpHandler } from './import-mcp/import-mcp.handler';
import { McpImportController } from './import-mcp/mcp-import.controller';
import { McpImportOptions } from './import-mcp/mcp-import-options';

/** Programs end with the server, after the last request that may need them. */
@Global()
@Module({})
export class ToolMcpModule implements OnApplicationShutdown {
  constructor(private readonly upstreams: Upstreams) {}

  static register(options: McpImportOptions): DynamicModule {
    return {
      module: ToolMcpModule,
      controllers: [McpImportController],
      providers: [
        ImportMcpHandler,
        { provide: McpImportOptions, useValue: options },
        { provide: Upstreams, inject: [SecretResolver], useFactory: (secrets: SecretResolver) => new Upstreams({ secrets, stdio: options.stdio }) },
      ],
      exports: [Upstreams],
    };
  }

  onApplicationShutdown = (): Promise<void> => this.upstreams.close();
}
