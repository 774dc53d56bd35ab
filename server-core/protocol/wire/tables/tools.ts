import { SHOWN_FIELDS } from './content.ts'
import { CACHE_FIELDS, notification, OBJECT_META, request, REQUEST_META, result } from './messages.ts'
import {
  ANY,
  between,
  BOOLEAN,
  choice,
  list,
  map,
  may,
  named,
  need,
  object,
  only,
  OPEN,
  since,
  TEXT,
  until,
  type Definitions,
  type Fields,
} from '../shape.ts'

const LEGACY = until('2025-11-25')
const MODERN = since('2026-07-28')
const CORE_TASKS = between('2025-11-25', '2025-11-25')

/** The answers of a client that was asked, and the state to give back with them (multi-round requests). */
export const ANSWER_FIELDS: Fields = {
  inputResponses: may(named('InputResponses'), MODERN),
  requestState: may(TEXT, MODERN),
}

/** The root of a tool's schema, as far as the revision pins it down. */
const schemaRoot: Fields = {
  $schema: [may(ANY, until('2025-06-18')), may(TEXT, since('2025-11-25'))],
  properties: [may(map(OPEN), LEGACY), may(ANY, MODERN)],
  required: [may(list(TEXT), LEGACY), may(ANY, MODERN)],
}

/** Tools (Server Features: Tools). */
export const TOOLS: Definitions = {
  Tool: {
    shape: object({
      ...OBJECT_META,
      ...SHOWN_FIELDS,
      name: need(TEXT),
      description: may(TEXT),
      inputSchema: need(object({ ...schemaRoot, type: need(choice('object')) })),
      outputSchema: may(
        object({ ...schemaRoot, type: [need(choice('object'), LEGACY), may(ANY, MODERN)] }),
        since('2025-06-18'),
      ),
      annotations: may(named('ToolAnnotations'), since('2025-03-26')),
      execution: may(named('ToolExecution'), CORE_TASKS),
    }),
  },
  ToolAnnotations: only(
    object({
      title: may(TEXT),
      readOnlyHint: may(BOOLEAN),
      destructiveHint: may(BOOLEAN),
      idempotentHint: may(BOOLEAN),
      openWorldHint: may(BOOLEAN),
    }),
    since('2025-03-26'),
  ),
  ToolExecution: only(object({ taskSupport: may(choice('forbidden', 'optional', 'required')) }), CORE_TASKS),
  ListToolsRequest: { shape: request('tools/list', named('PageParams'), 'optional') },
  ListToolsResult: {
    shape: result({ ...CACHE_FIELDS, tools: need(list(named('Tool'))), nextCursor: may(TEXT) }),
  },
  CallToolRequest: { shape: request('tools/call', named('CallToolRequestParams')) },
  CallToolRequestParams: {
    shape: object({
      ...REQUEST_META,
      ...ANSWER_FIELDS,
      name: need(TEXT),
      arguments: may(OPEN),
      task: may(named('TaskMetadata'), CORE_TASKS),
    }),
  },
  CallToolResult: {
    shape: result({
      content: need(list(named('AnyContentBlock'))),
      isError: may(BOOLEAN),
      structuredContent: [may(OPEN, between('2025-06-18', '2025-11-25')), may(ANY, MODERN)],
    }),
  },
  ToolListChangedNotification: { shape: notification('notifications/tools/list_changed', undefined) },
}
