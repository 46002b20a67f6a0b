export { GetTool } from './get-tool/get-tool.query';
export { ToolDetail } from './get-tool/tool-detail.view';
export { PutTool, PutToolBody } from './put-tool/put-tool.command';
export { ListRunTools } from './run-tools/list-run-tools.query';
export { RemoveOverride } from './remove-override/remove-override.command';
export { ListTools } from './tool-list/list-tools.query';
export { ToolView } from './tool-list/tool.view';
