import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { TimelineFrame } from './frame.ts'
import type { Timeline } from './timeline.ts'

/** What a server may ask its client. */
export type QuestionKind = 'elicitation' | 'sampling' | 'roots'

/** A question of a server: a request of its own, or one inside of a result (2026-07-28). */
export type AskedQuestion = {
  readonly kind: QuestionKind
  readonly params: JsonObject
  readonly frame: TimelineFrame
}

const KINDS: ReadonlyMap<unknown, QuestionKind> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** The kind of a question by its method; undefined for other methods. */
export function questionKind(method: unknown): QuestionKind | undefined {
  return KINDS.get(method)
}

/** Every question that servers asked, in order. */
export function askedQuestions(timeline: Timeline): readonly AskedQuestion[] {
  return timeline.frames
    .filter(({ from }) => from === 'server')
    .flatMap((frame) =>
      frame.messages.flatMap((message) => [message, ...embeddedIn(message)]).flatMap(question(frame)),
    )
}

/** What a question says, for patterns and messages: its message, its newest text, or nothing. */
export function questionText({ kind, params }: Pick<AskedQuestion, 'kind' | 'params'>): string {
  if (kind === 'elicitation') {
    const { message, url } = params
    return [message, url].filter((part) => typeof part === 'string').join(' ')
  }
  const { messages } = params
  if (!Array.isArray(messages)) return ''
  return (messages as readonly unknown[])
    .flatMap((message) => (isJsonObject(message) ? [message['content']] : []))
    .flat()
    .flatMap((content) =>
      isJsonObject(content) && typeof content['text'] === 'string' ? [content['text']] : [],
    )
    .join('\n')
}

function question(frame: TimelineFrame): (message: JsonObject) => readonly AskedQuestion[] {
  return ({ method, params }) => {
    const kind = questionKind(method)
    return kind === undefined ? [] : [{ kind, params: isJsonObject(params) ? params : {}, frame }]
  }
}

/** The questions of a result that asks for input. */
function embeddedIn({ result }: JsonObject): readonly JsonObject[] {
  const requests = isJsonObject(result) ? result['inputRequests'] : undefined
  return isJsonObject(requests) ? Object.values(requests).filter(isJsonObject) : []
}
