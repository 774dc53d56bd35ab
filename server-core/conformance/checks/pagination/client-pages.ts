import type { JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { InMessage } from '../../probe/inbox.ts'
import { shortJson } from '../../probe/outcome.ts'

const SIZES = [1, 0, 7, 3]
const CURSORS = [' a "quoted" ü ', 'eyJwYWdlIjoyfQ==', "it's %20+/?&#\\"]

const LISTS = [
  {
    method: 'tools/list',
    member: 'tools',
    entry: (name: string) => ({ name, inputSchema: { type: 'object' } }),
  },
  { method: 'prompts/list', member: 'prompts', entry: (name: string) => ({ name }) },
] as const

/** The cursor of a request for a page; undefined if it has none. */
function cursorOf({ message }: InMessage): unknown {
  const { params } = message
  return typeof params === 'object' && params !== null && 'cursor' in params ? params.cursor : undefined
}

/** The requests of one list; inconclusive if the client never lists. */
function pagesAsked(exam: ClientExam, method: string): readonly InMessage[] {
  const asked = exam.messagesOf(method)
  if (asked.length === 0) exam.inconclusive(`the client never sent ${method}`)
  return asked
}

export const clientWalk = clientCheck(
  'pagination.client.walk',
  async (exam) => {
    for (const { method, member, entry } of LISTS) {
      exam.alter(method, (result, { params }) => {
        const page = CURSORS.findIndex((cursor) => cursor === params['cursor']) + 1
        const size = SIZES[page] ?? 0
        const entries = Array.from({ length: size }, (_, place) => entry(`entry_${page}_${place}`))
        const next = CURSORS[page]
        const { nextCursor: _, ...rest } = result
        return { ...rest, [member]: entries, ...(next !== undefined && { nextCursor: next }) }
      })
    }
    await exam.run()
    for (const { method } of LISTS) {
      const asked = pagesAsked(exam, method)
      const seen = new Set<unknown>()
      for (const item of asked) {
        const cursor = cursorOf(item)
        seen.add(cursor)
        exam.expect(cursor === undefined || CURSORS.some((each) => each === cursor), {
          expected: 'a cursor that the server gave, unchanged',
          actual: shortJson(cursor),
          member: '/params/cursor',
          statement: 'pagination.opaque',
          frame: item.frame,
        })
      }
      const missing = CURSORS.find((cursor) => !seen.has(cursor))
      if (missing === undefined) continue
      exam.warn({
        expected: `${method} with the cursor ${shortJson(missing)}: pages of 1, 0, 7 and 3 entries`,
        actual: `pages asked for: ${shortJson([...seen])}`,
        statement: method === 'prompts/list' ? 'prompts.client-pagination' : 'pagination.both-flows',
        frame: asked.map(({ frame }) => frame),
      })
    }
  },
  { title: 'The client reads every page and returns cursors unchanged' },
)

export const clientEmptyCursor = clientCheck(
  'pagination.client.empty-cursor',
  async (exam) => {
    exam.alter('tools/list', (result, { params }) =>
      params['cursor'] === '' ? { ...result, tools: [] } : { ...result, nextCursor: '' },
    )
    await exam.run()
    const asked = pagesAsked(exam, 'tools/list')
    exam.expect(
      asked.some((item) => cursorOf(item) === ''),
      {
        expected: 'the next page asked for with the empty cursor',
        actual: `cursors ${shortJson(asked.map((item) => cursorOf(item) ?? null))}`,
        member: '/params/cursor',
        frame: asked.map(({ frame }) => frame),
      },
    )
  },
  { title: 'An empty cursor is a cursor' },
)

const ENOUGH = 1_000

export const clientRepeat = clientCheck(
  'pagination.client.repeat',
  async (exam) => {
    exam.alter('tools/list', (result, { count }) =>
      count > ENOUGH ? result : { ...result, nextCursor: 'again' },
    )
    await exam.run()
    const asked = pagesAsked(exam, 'tools/list')
    if (asked.length <= ENOUGH) return
    exam.inform({
      expected: `an end with a report within ${ENOUGH} pages of one cursor`,
      actual: `${asked.length} requests`,
      member: '/params/cursor',
      frame: asked.at(-1)?.frame,
    })
  },
  { title: 'The client stops when a cursor comes again for ever' },
)

export const clientNoPersist = clientCheck(
  'pagination.client.no-persist',
  async (exam) => {
    let cuts = 0
    exam.on('tools/list', (turn) => {
      if (turn.params['cursor'] !== undefined && cuts === 0) {
        cuts++
        return { close: true }
      }
      const reply = turn.usual()
      const result: JsonObject = 'result' in reply ? reply.result : {}
      return { result: cuts > 0 ? result : { ...result, nextCursor: 'second-page' } }
    })
    await exam.step({ type: 'connect' })
    await exam.step({ type: 'list', list: 'tools' })
    if (cuts === 0) exam.inconclusive('the client did not ask for the second page')
    const before = exam.messagesOf('tools/list').length
    await exam.step({ type: 'connect' })
    const fresh = exam.connections.at(-1)
    await exam.step({ type: 'list', list: 'tools' })
    const first = fresh?.inbox.messages.find(({ message }) => message['method'] === 'tools/list')
    if (first === undefined || exam.messagesOf('tools/list').length === before)
      return exam.inconclusive('the client did not list in its second session')
    exam.expect(cursorOf(first) === undefined, {
      expected: 'no cursor in the first request of a new session',
      actual: shortJson(cursorOf(first)),
      member: '/params/cursor',
      frame: first.frame,
    })
  },
  { title: 'Cursors are not kept over sessions' },
)
