const PREFIX = 'io.modelcontextprotocol/'

/** The `_meta` keys that the specification reserves (protocol: `_meta`). */
export const MetaKey = {
  protocolVersion: `${PREFIX}protocolVersion`,
  clientCapabilities: `${PREFIX}clientCapabilities`,
  clientInfo: `${PREFIX}clientInfo`,
  serverInfo: `${PREFIX}serverInfo`,
  logLevel: `${PREFIX}logLevel`,
  subscriptionId: `${PREFIX}subscriptionId`,
  relatedTask: `${PREFIX}related-task`,
  modelImmediateResponse: `${PREFIX}model-immediate-response`,
} as const
