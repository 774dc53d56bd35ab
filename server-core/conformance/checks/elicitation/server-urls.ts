import { isJsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { CANARY } from '../../probe/canary.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import { callAnswering, type Question } from '../mrtr/call-answering.ts'

const METHOD = 'elicitation/create'
const COMPLETE = 'notifications/elicitation/complete'
const WITH_URL = { elicitation: { form: {}, url: {} } }

const isUrl = ({ method, params }: Question) => method === METHOD && params['mode'] === 'url'

export const elicitationUrl = serverCheck(
  'elicitation.server.url',
  async (probe) => {
    const tool = probe.fixture('url-elicitation')
    const connection = await probe.connect({ capabilities: WITH_URL })
    const { questions } = await callAnswering(connection, tool)
    const asked = questions.filter(isUrl)
    if (asked.length === 0) probe.inconclusive(`${tool.name} asked to open no page`)
    for (const { params, member, frame } of asked) {
      const { url } = params
      const at = { member: `${member}/url`, frame }
      if (typeof url !== 'string' || !URL.canParse(url)) {
        probe.fail({ expected: 'an absolute URL', actual: shortJson(url), ...at })
        continue
      }
      const { protocol, hostname } = new URL(url)
      const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
      if (protocol !== 'https:' && !isLoopback)
        probe.warn({ expected: 'https', actual: url, statement: 'elicitation.url-https', ...at })
      if (/[\w.+-]+(?:@|%40)[\w-]+\.\w+/.test(url) || url.includes(CANARY))
        probe.fail({
          expected: 'no personal data in the URL',
          actual: url,
          statement: 'elicitation.url-no-personal-data',
          ...at,
        })
    }
  },
  { title: 'Pages that the user is to open have sound addresses' },
)

export const elicitationUrlError = serverCheck(
  'elicitation.server.url-error',
  async (probe) => {
    const { name, arguments: args } = probe.fixture('url-required')
    const connection = await probe.connect({ capabilities: WITH_URL })
    const outcome = await connection.call('tools/call', { name, arguments: args })
    if (outcome.type !== 'error' || outcome.code !== -32042)
      return probe.inconclusive(`${name} gave no -32042: ${describeOutcome(outcome)}`)
    const list = isJsonObject(outcome.data) ? outcome.data['elicitations'] : undefined
    const items: unknown[] = Array.isArray(list) ? list : []
    probe.expect(items.length > 0, {
      expected: 'elicitations in the data of the error',
      actual: shortJson(outcome.data),
      member: '/error/data/elicitations',
      statement: 'elicitation.url-error-list',
      frame: outcome.frame,
    })
    for (const [index, item] of items.entries()) {
      const { mode, elicitationId, url, message } = isJsonObject(item) ? item : {}
      const isWhole = [elicitationId, url, message].every((each) => typeof each === 'string')
      probe.expect(mode === 'url' && isWhole, {
        expected: 'mode "url" with elicitationId, url and message',
        actual: shortJson(item),
        member: `/error/data/elicitations/${index}`,
        statement: 'elicitation.url-error-mode',
        frame: outcome.frame,
      })
    }
    const bare = await probe.connect({ capabilities: { elicitation: { form: {} } } })
    const other = await bare.call('tools/call', { name, arguments: args })
    probe.expect(!(other.type === 'error' && other.code === -32042), {
      expected: 'no -32042 to a client without elicitation by URL',
      actual: describeOutcome(other),
      member: '/error/code',
      statement: 'elicitation.url-error-only-when-needed',
      frame: other.frame ?? other.sent,
    })
  },
  { title: 'Error -32042 names the pages to open' },
)

export const elicitationComplete = serverCheck(
  'elicitation.server.complete',
  async (probe) => {
    const tool = probe.fixture('url-completion')
    const own = await probe.connect({ capabilities: WITH_URL })
    const other = await probe.connect({ capabilities: WITH_URL })
    const { questions, outcome } = await callAnswering(own, tool)
    const asked = questions.find(isUrl)
    if (asked === undefined) return probe.inconclusive(`${tool.name}: ${describeOutcome(outcome)}`)
    await own.barrier()
    await other.barrier()
    for (const { message, frame } of other.received.filter(({ message: { method } }) => method === COMPLETE))
      probe.fail({
        expected: `${COMPLETE} to its own client alone`,
        actual: shortJson(message['params']),
        member: '/method',
        frame,
      })
    for (const { message, frame } of own.received.filter(({ message: { method } }) => method === COMPLETE)) {
      const { params } = message
      const id = isJsonObject(params) ? params['elicitationId'] : undefined
      probe.expect(id === asked.params['elicitationId'], {
        expected: `the elicitationId ${shortJson(asked.params['elicitationId'])}`,
        actual: shortJson(id),
        member: '/params/elicitationId',
        statement: 'elicitation.complete-id',
        frame,
      })
    }
  },
  { title: 'Only the client that was asked receives the completion' },
)
