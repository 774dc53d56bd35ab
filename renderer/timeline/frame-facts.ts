import type { Exchange, FrameView as Frame } from '../../server-core/host/contract/traffic.ts'
import { markOf, methodText, type Mark } from './row-facts.ts'
import { timelineText } from './text.ts'

/** What a frame is within its exchange: `response to tools/list`. */
export function frameName(frame: Frame, exchange: Exchange): string {
  switch (frame.kind) {
    case 'message':
      break
    case 'invalid':
      return 'no valid message'
    case 'stderr':
      return 'standard error'
    case 'http':
      return frame.http?.status === undefined
        ? timelineText.frameFacts.httpHead
        : timelineText.frameFacts.responseHead(frame.http.status)
    case 'fault':
      return 'fault made on purpose'
    case 'lifecycle':
      return 'connection'
  }
  if (exchange.kind === 'notification') return `notification ${methodText(exchange)}`
  if (exchange.kind !== 'request') return 'message'
  return isAnswer(frame, exchange) ? `response to ${exchange.method}` : `request ${exchange.method}`
}

/** The mark of a frame: a response is an open triangle that points the other way than its request. */
export function frameMark(frame: Frame, exchange: Exchange): Mark {
  if (frame.kind !== 'message' || exchange.kind !== 'request' || !isAnswer(frame, exchange))
    return markOf(exchange)
  const isReceived = frame.direction === 'received'
  return {
    icon: isReceived ? 'in-response' : 'out-response',
    tone: exchange.outcome === 'error' || exchange.outcome === 'tool-error' ? 'k-error' : 'k-response',
    name: 'response',
  }
}

function isAnswer(frame: Frame, exchange: Exchange): boolean {
  return frame.direction !== exchange.direction
}
