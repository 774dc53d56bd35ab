import { CACHE_FIELDS, notification, request, REQUEST_META, result } from './messages.ts'
import {
  between,
  BOOLEAN,
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
  URI,
  type Definitions,
} from '../shape.ts'

const LEGACY = until('2025-11-25')
const MODERN = since('2026-07-28')
const CORE_TASKS = between('2025-11-25', '2025-11-25')

const changes = object({ listChanged: may(BOOLEAN) })

/** Opening, discovery, capabilities and identity (Lifecycle; Versioning; Utilities: ping). */
export const LIFECYCLE: Definitions = {
  BaseMetadata: only(object({ name: need(TEXT), title: may(TEXT) }), since('2025-06-18')),
  Implementation: {
    shape: object({
      name: need(TEXT),
      version: need(TEXT),
      title: may(TEXT, since('2025-06-18')),
      description: may(TEXT, since('2025-11-25')),
      websiteUrl: may(URI, since('2025-11-25')),
      icons: may(list(named('Icon')), since('2025-11-25')),
    }),
  },
  ClientCapabilities: {
    shape: object({
      experimental: may(map(OPEN)),
      roots: may(object({ listChanged: may(BOOLEAN, LEGACY) })),
      sampling: may(
        object({ context: may(OPEN, since('2025-11-25')), tools: may(OPEN, since('2025-11-25')) }),
      ),
      elicitation: may(
        object({ form: may(OPEN, since('2025-11-25')), url: may(OPEN, since('2025-11-25')) }),
        since('2025-06-18'),
      ),
      tasks: may(
        object({
          list: may(OPEN),
          cancel: may(OPEN),
          requests: may(
            object({
              sampling: may(object({ createMessage: may(OPEN) })),
              elicitation: may(object({ create: may(OPEN) })),
            }),
          ),
        }),
        CORE_TASKS,
      ),
      extensions: may(map(OPEN), MODERN),
    }),
  },
  ServerCapabilities: {
    shape: object({
      experimental: may(map(OPEN)),
      logging: may(OPEN),
      completions: may(OPEN, since('2025-03-26')),
      prompts: may(changes),
      resources: may(object({ subscribe: may(BOOLEAN), listChanged: may(BOOLEAN) })),
      tools: may(changes),
      tasks: may(
        object({
          list: may(OPEN),
          cancel: may(OPEN),
          requests: may(object({ tools: may(object({ call: may(OPEN) })) })),
        }),
        CORE_TASKS,
      ),
      extensions: may(map(OPEN), MODERN),
    }),
  },
  InitializeRequest: only(request('initialize', named('InitializeRequestParams')), LEGACY),
  InitializeRequestParams: only(
    object({
      ...REQUEST_META,
      protocolVersion: need(TEXT),
      capabilities: need(named('ClientCapabilities')),
      clientInfo: need(named('Implementation')),
    }),
    LEGACY,
  ),
  InitializeResult: only(
    result({
      protocolVersion: need(TEXT),
      capabilities: need(named('ServerCapabilities')),
      serverInfo: need(named('Implementation')),
      instructions: may(TEXT),
    }),
    LEGACY,
  ),
  InitializedNotification: only(notification('notifications/initialized', undefined), LEGACY),
  PingRequest: only(request('ping', object(REQUEST_META), 'optional'), LEGACY),
  DiscoverRequest: only(request('server/discover', object(REQUEST_META)), MODERN),
  DiscoverResult: only(
    result({
      ...CACHE_FIELDS,
      supportedVersions: need(list(TEXT)),
      capabilities: need(named('ServerCapabilities')),
      instructions: may(TEXT),
    }),
    MODERN,
  ),
}
