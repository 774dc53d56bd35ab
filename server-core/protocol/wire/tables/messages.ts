import { MetaKey } from '../../meta-keys.ts'
import {
  ANY,
  between,
  choice,
  INTEGER,
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
  union,
  until,
  type Definitions,
  type Fields,
  type Shape,
  type Span,
} from '../shape.ts'

const VERSION = choice('2.0')
const LEGACY = until('2025-11-25')
const MODERN = since('2026-07-28')

/** `_meta` of a request's params: a progress token in the legacy revisions, the whole envelope since. */
export const REQUEST_META: Fields = {
  _meta: [may(named('LegacyRequestMeta'), LEGACY), need(named('RequestMetaObject'), MODERN)],
}

/** `_meta` of a notification's params. */
export const NOTIFICATION_META: Fields = {
  _meta: [may(OPEN, LEGACY), may(named('NotificationMetaObject'), MODERN)],
}

/** What every result carries. */
export const RESULT_FIELDS: Fields = {
  _meta: [may(OPEN, LEGACY), may(named('ResultMetaObject'), MODERN)],
  resultType: need(TEXT, MODERN),
}

/** What results carry that a client may keep. */
export const CACHE_FIELDS: Fields = {
  ttlMs: need({ type: 'integer', min: 0 }, MODERN),
  cacheScope: need(choice('public', 'private'), MODERN),
}

/** `_meta` without a rule for the method: newer revisions leave it to the method. */
const ANY_REQUEST_META: Fields = {
  _meta: [may(named('LegacyRequestMeta'), until('2025-06-18')), may(ANY, since('2025-11-25'))],
}
const ANY_NOTIFICATION_META: Fields = {
  _meta: [may(OPEN, until('2025-06-18')), may(ANY, since('2025-11-25'))],
}

/** `_meta` of listed objects and of content blocks. */
export const OBJECT_META: Fields = { _meta: may(OPEN, since('2025-06-18')) }

/** A request of that method. `optional` params may be missing in the legacy revisions. */
export function request(
  method: string,
  params: Shape,
  optional: 'optional' | 'required' = 'required',
): Shape {
  return object({
    jsonrpc: need(VERSION),
    id: need(named('RequestId')),
    method: need(choice(method)),
    params: optional === 'required' ? need(params) : [may(params, LEGACY), need(params, MODERN)],
  })
}

/** A request that 2026-07-28 embeds in a result, without an envelope of its own. */
export function embedded(
  method: string,
  params: Shape,
  optional: 'optional' | 'required' = 'required',
): Shape {
  return object({
    jsonrpc: need(VERSION, LEGACY),
    id: need(named('RequestId'), LEGACY),
    method: need(choice(method)),
    params: optional === 'required' ? need(params) : may(params),
  })
}

/** A notification of that method; the params of one that says nothing more may be missing. */
export function notification(method: string, params: Fields | undefined): Shape {
  const shape = object({ ...NOTIFICATION_META, ...params })
  return object({
    jsonrpc: need(VERSION),
    method: need(choice(method)),
    params: params === undefined ? may(shape) : need(shape),
  })
}

/** A result with these fields. */
export function result(fields: Fields): Shape {
  return object({ ...RESULT_FIELDS, ...fields })
}

const ERROR: Fields = { code: need(INTEGER), message: need(TEXT), data: may(ANY) }

/** Answers with an error of a kind of its own. */
const errorAnswer = (error: Fields): Shape =>
  object({ jsonrpc: need(VERSION), id: may(named('RequestId')), error: need(object({ ...ERROR, ...error })) })

const plainError = (code: number) => only(object({ ...ERROR, code: need(choice(code)) }), MODERN)

const JSON_RPC_BATCH: Span = between('2025-03-26', '2025-03-26')

/** The base messages (Base Protocol: Messages) and the errors with a shape of their own. */
export const MESSAGES: Definitions = {
  RequestId: { shape: union(TEXT, INTEGER) },
  ProgressToken: { shape: union(TEXT, INTEGER) },
  Cursor: { shape: TEXT },
  LegacyRequestMeta: only(object({ progressToken: may(named('ProgressToken')) }), LEGACY),
  MetaObject: only(OPEN, MODERN),
  RequestMetaObject: only(
    object({
      [MetaKey.protocolVersion]: need(TEXT),
      [MetaKey.clientCapabilities]: need(named('ClientCapabilities')),
      [MetaKey.clientInfo]: may(named('Implementation')),
      [MetaKey.logLevel]: may(named('LoggingLevel')),
      progressToken: may(named('ProgressToken')),
    }),
    MODERN,
  ),
  ResultMetaObject: only(object({ [MetaKey.serverInfo]: may(named('Implementation')) }), MODERN),
  NotificationMetaObject: only(object({ [MetaKey.subscriptionId]: may(named('RequestId')) }), MODERN),
  Request: {
    shape: object({
      method: need(TEXT),
      params: may(object(ANY_REQUEST_META)),
    }),
  },
  RequestParams: only(object(REQUEST_META), since('2025-11-25')),
  Notification: {
    shape: object({ method: need(TEXT), params: may(object(ANY_NOTIFICATION_META)) }),
  },
  NotificationParams: only(object(NOTIFICATION_META), since('2025-11-25')),
  Result: { shape: object(RESULT_FIELDS) },
  EmptyResult: { shape: named('Result') },
  ResultType: only(TEXT, MODERN),
  CacheableResult: only(result(CACHE_FIELDS), MODERN),
  JSONRPCRequest: {
    shape: object({
      jsonrpc: need(VERSION),
      id: need(named('RequestId')),
      method: need(TEXT),
      params: may(object(ANY_REQUEST_META)),
    }),
  },
  JSONRPCNotification: {
    shape: object({
      jsonrpc: need(VERSION),
      method: need(TEXT),
      params: may(object(ANY_NOTIFICATION_META)),
    }),
  },
  JSONRPCResultResponse: only(named('ResultAnswer'), since('2025-11-25')),
  JSONRPCErrorResponse: only(named('ErrorAnswer'), since('2025-11-25')),
  JSONRPCError: only(named('ErrorAnswer'), until('2025-06-18')),
  JSONRPCResponse: [
    only(named('ResultAnswer'), until('2025-06-18')),
    only(union(named('ResultAnswer'), named('ErrorAnswer')), since('2025-11-25')),
  ],
  ResultAnswer: {
    shape: object({ jsonrpc: need(VERSION), id: need(named('RequestId')), result: need(named('Result')) }),
  },
  ErrorAnswer: {
    shape: object({
      jsonrpc: need(VERSION),
      id: [need(named('RequestId'), until('2025-06-18')), may(named('RequestId'), since('2025-11-25'))],
      error: need(object(ERROR)),
    }),
  },
  JSONRPCBatchRequest: only(
    list(union(named('JSONRPCRequest'), named('JSONRPCNotification'))),
    JSON_RPC_BATCH,
  ),
  JSONRPCBatchResponse: only(list(union(named('ResultAnswer'), named('ErrorAnswer'))), JSON_RPC_BATCH),
  JSONRPCMessage: {
    shape: union(
      named('JSONRPCRequest'),
      named('JSONRPCNotification'),
      named('ResultAnswer'),
      named('ErrorAnswer'),
      only(named('JSONRPCBatchRequest'), JSON_RPC_BATCH),
      only(named('JSONRPCBatchResponse'), JSON_RPC_BATCH),
    ),
  },
  Error: only(object(ERROR), since('2025-11-25')),
  ParseError: plainError(-32700),
  InvalidRequestError: plainError(-32600),
  MethodNotFoundError: plainError(-32601),
  InvalidParamsError: plainError(-32602),
  InternalError: plainError(-32603),
  HeaderMismatchError: only(errorAnswer({ code: need(choice(-32020)) }), MODERN),
  MissingRequiredClientCapabilityError: only(
    errorAnswer({
      code: need(choice(-32021)),
      data: need(object({ requiredCapabilities: need(named('ClientCapabilities')) })),
    }),
    MODERN,
  ),
  UnsupportedProtocolVersionError: only(
    errorAnswer({
      code: need(choice(-32022)),
      data: need(object({ supported: need(list(TEXT)), requested: need(TEXT) })),
    }),
    MODERN,
  ),
  URLElicitationRequiredError: only(
    errorAnswer({
      code: need(choice(-32042)),
      data: need(object({ elicitations: need(list(named('ElicitRequestURLParams'))) })),
    }),
    between('2025-11-25', '2025-11-25'),
  ),
  JSONValue: only(ANY, MODERN),
  JSONObject: only(map(ANY), MODERN),
  JSONArray: only(list(ANY), MODERN),
}
