import { RESOURCE_FIELDS, SHOWN_FIELDS } from './content.ts'
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
  choice,
  list,
  may,
  named,
  need,
  object,
  only,
  since,
  TEXT,
  until,
  URI,
  URI_TEMPLATE,
  type Definitions,
  type Fields,
} from '../shape.ts'
import { ANSWER_FIELDS } from './tools.ts'

const LEGACY = until('2025-11-25')
const MODERN = since('2026-07-28')

const byUri = object({ ...REQUEST_META, uri: need(URI) })
const page: Fields = { nextCursor: may(TEXT) }

/** Resources, templates, and being told of their changes (Server Features: Resources; Subscriptions). */
export const RESOURCES: Definitions = {
  PageParams: { shape: object({ ...REQUEST_META, cursor: may(TEXT) }) },
  PaginatedRequestParams: only(named('PageParams'), since('2025-11-25')),
  PaginatedRequest: [
    only(object({ method: need(TEXT), params: may(object({ cursor: may(TEXT) })) }), until('2025-06-18')),
    only(
      object({
        jsonrpc: need(choice('2.0')),
        id: need(named('RequestId')),
        method: need(TEXT),
        params: [may(named('PageParams'), LEGACY), need(named('PageParams'), MODERN)],
      }),
      since('2025-11-25'),
    ),
  ],
  PaginatedResult: { shape: result(page) },
  Resource: { shape: object(RESOURCE_FIELDS) },
  ResourceTemplate: {
    shape: object({
      ...OBJECT_META,
      ...SHOWN_FIELDS,
      uriTemplate: need(URI_TEMPLATE),
      name: need(TEXT),
      description: may(TEXT),
      mimeType: may(TEXT),
      annotations: may(named('ContentAnnotations')),
    }),
  },
  ListResourcesRequest: { shape: request('resources/list', named('PageParams'), 'optional') },
  ListResourcesResult: {
    shape: result({ ...CACHE_FIELDS, ...page, resources: need(list(named('Resource'))) }),
  },
  ListResourceTemplatesRequest: {
    shape: request('resources/templates/list', named('PageParams'), 'optional'),
  },
  ListResourceTemplatesResult: {
    shape: result({ ...CACHE_FIELDS, ...page, resourceTemplates: need(list(named('ResourceTemplate'))) }),
  },
  ReadResourceRequest: { shape: request('resources/read', named('ReadResourceRequestParams')) },
  ReadResourceRequestParams: {
    shape: object({ ...REQUEST_META, ...ANSWER_FIELDS, uri: need(URI) }),
  },
  ResourceRequestParams: only(byUri, since('2025-11-25')),
  ReadResourceResult: {
    shape: result({ ...CACHE_FIELDS, contents: need(list(named('AnyResourceContents'))) }),
  },
  SubscribeRequest: only(request('resources/subscribe', named('SubscribeRequestParams')), LEGACY),
  SubscribeRequestParams: only(byUri, LEGACY),
  UnsubscribeRequest: only(request('resources/unsubscribe', named('UnsubscribeRequestParams')), LEGACY),
  UnsubscribeRequestParams: only(byUri, LEGACY),
  ResourceListChangedNotification: {
    shape: notification('notifications/resources/list_changed', undefined),
  },
  ResourceUpdatedNotification: { shape: notification('notifications/resources/updated', { uri: need(URI) }) },
  ResourceUpdatedNotificationParams: { shape: object({ ...NOTIFICATION_META, uri: need(URI) }) },
}
