import { embedded, notification, OBJECT_META } from './messages.ts'
import {
  choice,
  FRACTION,
  between,
  INTEGER,
  list,
  may,
  named,
  need,
  NUMBER,
  object,
  only,
  OPEN,
  since,
  TEXT,
  union,
  until,
  URI,
  type Definitions,
  type Fields,
} from '../shape.ts'

const LEGACY = until('2025-11-25')
const TOOLS_IN_SAMPLING = since('2025-11-25')

/** Requests to a client carry `_meta` only where they are messages of their own. */
export const ASKING_META: Fields = { _meta: may(named('LegacyRequestMeta'), LEGACY) }
export const AUGMENTED: Fields = { task: may(named('TaskMetadata'), between('2025-11-25', '2025-11-25')) }

const samplingContent = [
  need(named('AnySamplingBlock'), until('2025-06-18')),
  need(union(named('AnySamplingBlock'), list(named('AnySamplingBlock'))), TOOLS_IN_SAMPLING),
]

/** Asking a client's model and for its roots (Client Features: Sampling, Roots). */
export const SAMPLING: Definitions = {
  SamplingMessage: {
    shape: object({
      _meta: may(OPEN, since('2025-11-25')),
      role: need(named('Role')),
      content: samplingContent,
    }),
  },
  ModelHint: { shape: object({ name: may(TEXT) }) },
  ModelPreferences: {
    shape: object({
      hints: may(list(named('ModelHint'))),
      costPriority: may(FRACTION),
      speedPriority: may(FRACTION),
      intelligencePriority: may(FRACTION),
    }),
  },
  ToolChoice: only(object({ mode: may(choice('auto', 'required', 'none')) }), TOOLS_IN_SAMPLING),
  CreateMessageRequest: {
    shape: embedded('sampling/createMessage', named('CreateMessageRequestParams')),
  },
  CreateMessageRequestParams: {
    shape: object({
      ...ASKING_META,
      ...AUGMENTED,
      messages: need(list(named('SamplingMessage'))),
      maxTokens: need(INTEGER),
      modelPreferences: may(named('ModelPreferences')),
      systemPrompt: may(TEXT),
      includeContext: may(choice('none', 'thisServer', 'allServers')),
      temperature: may(NUMBER),
      stopSequences: may(list(TEXT)),
      metadata: may(OPEN),
      tools: may(list(named('Tool')), TOOLS_IN_SAMPLING),
      toolChoice: may(named('ToolChoice'), TOOLS_IN_SAMPLING),
    }),
  },
  CreateMessageResult: {
    shape: object({
      _meta: may(OPEN),
      role: need(named('Role')),
      content: samplingContent,
      model: need(TEXT),
      stopReason: may(TEXT),
    }),
  },
  Root: { shape: object({ ...OBJECT_META, uri: need(URI), name: may(TEXT) }) },
  ListRootsRequest: {
    shape: embedded(
      'roots/list',
      object({ _meta: [may(named('LegacyRequestMeta'), LEGACY), may(OPEN, since('2026-07-28'))] }),
      'optional',
    ),
  },
  ListRootsResult: {
    shape: object({ _meta: may(OPEN, LEGACY), roots: need(list(named('Root'))) }),
  },
  RootsListChangedNotification: only(notification('notifications/roots/list_changed', undefined), LEGACY),
}
