import { SHOWN_FIELDS } from './content.ts'
import {
  CACHE_FIELDS,
  notification,
  NOTIFICATION_META,
  OBJECT_META,
  request,
  REQUEST_META,
  result,
} from './messages.ts'
import {
  ANY,
  between,
  BOOLEAN,
  choice,
  INTEGER,
  list,
  map,
  may,
  named,
  need,
  NUMBER,
  object,
  only,
  since,
  tagged,
  TEXT,
  until,
  URI_TEMPLATE,
  type Definitions,
  type Fields,
} from '../shape.ts'
import { ANSWER_FIELDS } from './tools.ts'

const LEGACY = until('2025-11-25')
const titled: Fields = { title: may(TEXT, since('2025-06-18')) }

const progress: Fields = {
  progressToken: need(named('ProgressToken')),
  progress: need(NUMBER),
  total: may(NUMBER),
  message: may(TEXT, since('2025-03-26')),
}
const cancelled: Fields = {
  requestId: [
    need(named('RequestId'), until('2025-06-18')),
    may(named('RequestId'), between('2025-11-25', '2025-11-25')),
    need(named('RequestId'), since('2026-07-28')),
  ],
  reason: may(TEXT),
}
const message: Fields = { level: need(named('LoggingLevel')), logger: may(TEXT), data: need(ANY) }

/** Prompts and completions, log messages, progress and cancelling (Server Features; Utilities). */
export const PROMPTS: Definitions = {
  Prompt: {
    shape: object({
      ...OBJECT_META,
      ...SHOWN_FIELDS,
      name: need(TEXT),
      description: may(TEXT),
      arguments: may(list(named('PromptArgument'))),
    }),
  },
  PromptArgument: {
    shape: object({ ...titled, name: need(TEXT), description: may(TEXT), required: may(BOOLEAN) }),
  },
  PromptMessage: {
    shape: object({ role: need(named('Role')), content: need(named('AnyContentBlock')) }),
  },
  ListPromptsRequest: { shape: request('prompts/list', named('PageParams'), 'optional') },
  ListPromptsResult: {
    shape: result({ ...CACHE_FIELDS, prompts: need(list(named('Prompt'))), nextCursor: may(TEXT) }),
  },
  GetPromptRequest: { shape: request('prompts/get', named('GetPromptRequestParams')) },
  GetPromptRequestParams: {
    shape: object({ ...REQUEST_META, ...ANSWER_FIELDS, name: need(TEXT), arguments: may(map(TEXT)) }),
  },
  GetPromptResult: {
    shape: result({ description: may(TEXT), messages: need(list(named('PromptMessage'))) }),
  },
  PromptListChangedNotification: { shape: notification('notifications/prompts/list_changed', undefined) },
  PromptReference: {
    shape: object({ ...titled, type: need(choice('ref/prompt')), name: need(TEXT) }),
  },
  ResourceReference: only(named('ReferenceToResource'), until('2025-03-26')),
  ResourceTemplateReference: only(named('ReferenceToResource'), since('2025-06-18')),
  ReferenceToResource: {
    shape: object({ type: need(choice('ref/resource')), uri: need(URI_TEMPLATE) }),
  },
  CompleteRequest: { shape: request('completion/complete', named('CompleteRequestParams')) },
  CompleteRequestParams: {
    shape: object({
      ...REQUEST_META,
      ref: need(tagged('type', named('PromptReference'), named('ReferenceToResource'))),
      argument: need(object({ name: need(TEXT), value: need(TEXT) })),
      context: may(object({ arguments: may(map(TEXT)) }), since('2025-06-18')),
    }),
  },
  CompleteResult: {
    shape: result({
      completion: need(
        object({
          values: need({ type: 'list', of: TEXT, max: { items: 100, since: '2026-07-28' } }),
          total: may(INTEGER),
          hasMore: may(BOOLEAN),
        }),
      ),
    }),
  },
  LoggingLevel: {
    shape: choice('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'),
  },
  SetLevelRequest: only(request('logging/setLevel', named('SetLevelRequestParams')), LEGACY),
  SetLevelRequestParams: only(object({ ...REQUEST_META, level: need(named('LoggingLevel')) }), LEGACY),
  LoggingMessageNotification: { shape: notification('notifications/message', message) },
  LoggingMessageNotificationParams: { shape: object({ ...NOTIFICATION_META, ...message }) },
  ProgressNotification: { shape: notification('notifications/progress', progress) },
  ProgressNotificationParams: { shape: object({ ...NOTIFICATION_META, ...progress }) },
  CancelledNotification: { shape: notification('notifications/cancelled', cancelled) },
  CancelledNotificationParams: { shape: object({ ...NOTIFICATION_META, ...cancelled }) },
}
