/** `stdio`: platform admins may have programs started on this machine as upstream servers. */
export abstract class McpImportOptions {
  abstract readonly stdio: boolean;
}
