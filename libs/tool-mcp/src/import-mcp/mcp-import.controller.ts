import { Body, Controller, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { ImportMcpBody, ImportMcpServer, McpImport } from './import-mcp.command';

@Controller('agent/tools/import')
export class McpImportController {
  constructor(private readonly bus: Bus) {}

  @Post('mcp')
  @RequireCapability('tools:write')
  @ApiAnswer(McpImport)
  async importMcp(@Body({ schema: ImportMcpBody }) body: ImportMcpBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ImportMcpServer(body, caller.principal.platformAdmin, caller.context())));
  }
}
