import type { ToolAnnotations } from '../../registry/definitions.ts'
import type { Method } from './operation.ts'

/** What a method promises (RFC 9110, section 9.2), as hints for clients. All of them reach out of this machine. */
export function methodAnnotations(method: Method): ToolAnnotations {
  switch (method) {
    case 'get':
    case 'head':
    case 'options':
    case 'trace':
    case 'query':
      return { readOnlyHint: true, openWorldHint: true }
    case 'delete':
      return { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }
    case 'put':
      return { readOnlyHint: false, idempotentHint: true, openWorldHint: true }
    case 'post':
    case 'patch':
      return { readOnlyHint: false, openWorldHint: true }
  }
}
