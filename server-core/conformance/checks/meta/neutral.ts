import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'
import { LIST_METHODS } from '../lists/list-methods.ts'

const CLIENTS: readonly (JsonObject | undefined)[] = [
  { name: 'curl', version: '8.0.0' },
  { name: 'desktop-host', version: '1.0.0' },
  { name: 'evil', version: '0.0.1' },
  undefined,
]
const ROUNDS = 2

/** An answer without what may differ each time. */
function settled({ result, error }: JsonObject): string {
  const answer = isJsonObject(result) ? result : isJsonObject(error) ? error : {}
  const { _meta: _, nextCursor: __, ttlMs: ___, ...rest } = answer
  return JSON.stringify(rest)
}

export const serverNeutral = serverCheck(
  'meta.info-neutral',
  async (probe) => {
    const lists = LIST_METHODS.filter(({ capability }) => probe.declares(capability))
    const methods = ['server/discover', ...lists.map(({ method }) => method), 'patchbay/none']
    for (const method of methods) {
      const connection = await probe.connect()
      const answers: string[][] = CLIENTS.map(() => [])
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [index, clientInfo] of CLIENTS.entries()) {
          const outcome = await connection.call(
            method,
            {},
            { envelope: { [MetaKey.clientInfo]: clientInfo } },
          )
          const said =
            outcome.type === 'result' || outcome.type === 'error' ? settled(outcome.message) : outcome.type
          answers[index]?.push(said)
        }
      }
      // What changes from round to round does not change by name.
      if (answers.some(([first, second]) => first !== second)) continue
      const [usual] = answers[0] ?? []
      const other = answers.findIndex(([answer]) => answer !== usual)
      if (other === -1) continue
      probe.warn({
        expected: `the same answer to ${method}, whoever the client says it is`,
        actual: `another one for ${shortJson(CLIENTS[other]?.['name'] ?? 'no name')}`,
        frame: connection.received.map(({ frame }) => frame),
      })
    }
  },
  { title: 'The name of the client changes nothing' },
)

const SERVERS: readonly JsonObject[] = [
  { name: 'patchbay-exam', version: '1.0.0' },
  { name: 'github', version: '9.9.9' },
]

/** The requests of one run, without ids and metadata. */
async function requestsOf(exam: ClientExam, serverInfo: JsonObject): Promise<readonly string[]> {
  exam.content.serverInfo = serverInfo
  const from = exam.received.length
  await exam.run()
  await exam.endClient()
  return exam.received
    .slice(from)
    .filter(({ message }) => message['method'] !== undefined && 'id' in message)
    .map(({ message }) => {
      const params = isJsonObject(message['params']) ? message['params'] : {}
      const { _meta: _, ...rest } = params
      return `${String(message['method'])} ${JSON.stringify(rest)}`
    })
    .toSorted()
}

export const clientNeutral = clientCheck(
  'meta.info-neutral.client',
  async (exam) => {
    const [first = {}, second = {}] = SERVERS
    const one = await requestsOf(exam, first)
    const other = await requestsOf(exam, second)
    if (one.length === 0 || other.length === 0) return exam.inconclusive('the client sent no requests')
    const difference = one.find((each) => !other.includes(each)) ?? other.find((each) => !one.includes(each))
    if (difference === undefined && one.length === other.length) return
    exam.warn({
      expected: 'the same requests to servers of different names',
      actual: `${difference ?? `${one.length} and ${other.length} requests`} for one of them alone`,
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'The name of the server changes nothing' },
)
