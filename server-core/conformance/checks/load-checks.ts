import type { Check } from '../check.ts'

/** The tables of checks, one for each area; loaded when a run begins. */
const AREAS: Readonly<Record<string, () => Promise<readonly Check[]>>> = {
  base: async () => (await import('./base/checks.ts')).BASE_CHECKS,
  jsonrpc: async () => (await import('./jsonrpc/checks.ts')).JSONRPC_CHECKS,
  schema: async () => (await import('./schema/checks.ts')).SCHEMA_CHECKS,
  'json-schema': async () => (await import('./json-schema/checks.ts')).JSON_SCHEMA_CHECKS,
  meta: async () => (await import('./meta/checks.ts')).META_CHECKS,
  lifecycle: async () => (await import('./lifecycle/checks.ts')).LIFECYCLE_CHECKS,
  versioning: async () => (await import('./versioning/checks.ts')).VERSIONING_CHECKS,
  stateless: async () => (await import('./stateless/checks.ts')).STATELESS_CHECKS,
  ping: async () => (await import('./ping/checks.ts')).PING_CHECKS,
  cancel: async () => (await import('./cancel/checks.ts')).CANCEL_CHECKS,
  progress: async () => (await import('./progress/checks.ts')).PROGRESS_CHECKS,
  pagination: async () => (await import('./pagination/checks.ts')).PAGINATION_CHECKS,
  lists: async () => (await import('./lists/checks.ts')).LISTS_CHECKS,
  tools: async () => (await import('./tools/checks.ts')).TOOLS_CHECKS,
  resources: async () => (await import('./resources/checks.ts')).RESOURCES_CHECKS,
  prompts: async () => (await import('./prompts/checks.ts')).PROMPTS_CHECKS,
  completion: async () => (await import('./completion/checks.ts')).COMPLETION_CHECKS,
  logging: async () => (await import('./logging/checks.ts')).LOGGING_CHECKS,
  logging26: async () => (await import('./logging26/checks.ts')).LOGGING26_CHECKS,
  roots: async () => (await import('./roots/checks.ts')).ROOTS_CHECKS,
  sampling: async () => (await import('./sampling/checks.ts')).SAMPLING_CHECKS,
  elicitation: async () => (await import('./elicitation/checks.ts')).ELICITATION_CHECKS,
  mrtr: async () => (await import('./mrtr/checks.ts')).MRTR_CHECKS,
  resulttype: async () => (await import('./resulttype/checks.ts')).RESULTTYPE_CHECKS,
  subscriptions: async () => (await import('./subscriptions/checks.ts')).SUBSCRIPTIONS_CHECKS,
  caching: async () => (await import('./caching/checks.ts')).CACHING_CHECKS,
  tasks: async () => (await import('./tasks/checks.ts')).TASKS_CHECKS,
  'ext-tasks': async () => (await import('./ext-tasks/checks.ts')).EXT_TASKS_CHECKS,
  icons: async () => (await import('./icons/checks.ts')).ICONS_CHECKS,
  stdio: async () => (await import('./stdio/checks.ts')).STDIO_CHECKS,
  http: async () => (await import('./http/checks.ts')).HTTP_CHECKS,
  http26: async () => (await import('./http26/checks.ts')).HTTP26_CHECKS,
  sse: async () => (await import('./sse/checks.ts')).SSE_CHECKS,
  'sse-format': async () => (await import('./sse-format/checks.ts')).SSE_FORMAT_CHECKS,
  ws: async () => (await import('./ws/checks.ts')).WS_CHECKS,
  auth: async () => (await import('./auth/checks.ts')).AUTH_CHECKS,
  security: async () => (await import('./security/checks.ts')).SECURITY_CHECKS,
  neg: async () => (await import('./neg/checks.ts')).NEG_CHECKS,
}

/** Every check. */
export async function loadChecks(): Promise<readonly Check[]> {
  const tables = await Promise.all(Object.values(AREAS).map((load) => load()))
  return tables.flat()
}
