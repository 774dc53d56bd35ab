import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastRequest } from './fast-path/fast-request.ts'
import type { FastResponse } from './fast-path/fast-response.ts'

/** A request as it reaches the routes: of `node:http`, or of the fast path, which has its body already. */
export type HttpRequest = IncomingMessage | FastRequest

/** The response to it. */
export type HttpResponse = ServerResponse | FastResponse
