import type { AreaProof } from './area-proof.ts'
import { BASE_PROOF } from './areas/base.ts'
import { JSONRPC_PROOF } from './areas/jsonrpc.ts'
import { SCHEMA_PROOF } from './areas/schema.ts'
import { JSON_SCHEMA_PROOF } from './areas/json-schema.ts'
import { META_PROOF } from './areas/meta.ts'
import { LIFECYCLE_PROOF } from './areas/lifecycle.ts'
import { VERSIONING_PROOF } from './areas/versioning.ts'
import { STATELESS_PROOF } from './areas/stateless.ts'
import { PING_PROOF } from './areas/ping.ts'
import { CANCEL_PROOF } from './areas/cancel.ts'
import { PROGRESS_PROOF } from './areas/progress.ts'
import { PAGINATION_PROOF } from './areas/pagination.ts'
import { LISTS_PROOF } from './areas/lists.ts'
import { TOOLS_PROOF } from './areas/tools.ts'
import { RESOURCES_PROOF } from './areas/resources.ts'
import { PROMPTS_PROOF } from './areas/prompts.ts'
import { COMPLETION_PROOF } from './areas/completion.ts'
import { LOGGING_PROOF } from './areas/logging.ts'
import { LOGGING26_PROOF } from './areas/logging26.ts'
import { ROOTS_PROOF } from './areas/roots.ts'
import { SAMPLING_PROOF } from './areas/sampling.ts'
import { ELICITATION_PROOF } from './areas/elicitation.ts'
import { MRTR_PROOF } from './areas/mrtr.ts'
import { RESULTTYPE_PROOF } from './areas/resulttype.ts'
import { SUBSCRIPTIONS_PROOF } from './areas/subscriptions.ts'
import { CACHING_PROOF } from './areas/caching.ts'
import { TASKS_PROOF } from './areas/tasks.ts'
import { EXT_TASKS_PROOF } from './areas/ext-tasks.ts'
import { ICONS_PROOF } from './areas/icons.ts'
import { STDIO_PROOF } from './areas/stdio.ts'
import { HTTP_PROOF } from './areas/http.ts'
import { HTTP26_PROOF } from './areas/http26.ts'
import { SSE_PROOF } from './areas/sse.ts'
import { SSE_FORMAT_PROOF } from './areas/sse-format.ts'
import { WS_PROOF } from './areas/ws.ts'
import { AUTH_PROOF } from './areas/auth.ts'
import { SECURITY_PROOF } from './areas/security.ts'
import { NEG_PROOF } from './areas/neg.ts'

/** The proofs of all areas. */
export const AREA_PROOFS: readonly AreaProof[] = [
  BASE_PROOF,
  JSONRPC_PROOF,
  SCHEMA_PROOF,
  JSON_SCHEMA_PROOF,
  META_PROOF,
  LIFECYCLE_PROOF,
  VERSIONING_PROOF,
  STATELESS_PROOF,
  PING_PROOF,
  CANCEL_PROOF,
  PROGRESS_PROOF,
  PAGINATION_PROOF,
  LISTS_PROOF,
  TOOLS_PROOF,
  RESOURCES_PROOF,
  PROMPTS_PROOF,
  COMPLETION_PROOF,
  LOGGING_PROOF,
  LOGGING26_PROOF,
  ROOTS_PROOF,
  SAMPLING_PROOF,
  ELICITATION_PROOF,
  MRTR_PROOF,
  RESULTTYPE_PROOF,
  SUBSCRIPTIONS_PROOF,
  CACHING_PROOF,
  TASKS_PROOF,
  EXT_TASKS_PROOF,
  ICONS_PROOF,
  STDIO_PROOF,
  HTTP_PROOF,
  HTTP26_PROOF,
  SSE_PROOF,
  SSE_FORMAT_PROOF,
  WS_PROOF,
  AUTH_PROOF,
  SECURITY_PROOF,
  NEG_PROOF,
]
