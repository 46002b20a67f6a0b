export { PutTool, PutToolBody } from './put-tool/put-tool.command';
export { ListTools } from './tool-list/list-tools.query';
export { ToolView } from './tool-list/tool.view';
