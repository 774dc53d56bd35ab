import type { JsonObject } from '../../../protocol/json.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { ownCapabilities } from '../lists/own-capabilities.ts'

/** What can be completed: an argument of a prompt, or a variable of a template. */
type Completed = { readonly ref: JsonObject; readonly argument: string }

function completed({ server: { prompts, templates } }: ServerProbe): readonly Completed[] {
  const ofPrompts = prompts.flatMap((prompt) => {
    const list: unknown[] = Array.isArray(prompt['arguments']) ? prompt['arguments'] : []
    return list
      .filter(isJsonObject)
      .map(({ name }) => ({ ref: { type: 'ref/prompt', name: prompt['name'] }, argument: String(name) }))
  })
  const ofTemplates = templates.flatMap(({ uriTemplate }) =>
    [...String(uriTemplate).matchAll(/\{[+#./;?&]?([\w.]+)[^}]*\}/g)].map(([, name = '']) => ({
      ref: { type: 'ref/resource', uri: uriTemplate },
      argument: name,
    })),
  )
  return [...ofPrompts, ...ofTemplates].slice(0, 20)
}

/** In 2024-11-05 there is no capability to declare. */
function requireCompletions(probe: ServerProbe): void {
  if (probe.cell.revision !== '2024-11-05') probe.requireCapability('completions')
}

export const completions = serverCheck(
  'completion.server.basic',
  async (probe) => {
    requireCompletions(probe)
    const all = completed(probe)
    if (all.length === 0) probe.notApplicable('no prompt argument or template variable is listed')
    const connection = await probe.connect()
    for (const { ref, argument } of all) {
      for (const value of ['', 'a', '.*+?^${}()[a-']) {
        const params = { ref, argument: { name: argument, value } }
        const outcome = await connection.call('completion/complete', params)
        const isUnknown = outcome.type === 'error' && outcome.code === -32601
        if (isUnknown && probe.cell.revision === '2024-11-05')
          probe.notApplicable('the server completes nothing')
        if (outcome.type !== 'result') {
          probe.fail({
            expected: `values for ${shortJson(params)}`,
            actual: describeOutcome(outcome),
            member: outcome.type === 'error' ? '/error' : '',
            frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
            statement: 'completion.capability',
          })
          if (connection.closedReason !== undefined) return
        } else judgeCompletion(probe, outcome.result['completion'], outcome.frame)
      }
    }
  },
  { title: 'Completions are at most 100 texts' },
)

function judgeCompletion(probe: ServerProbe, completion: unknown, frame: CapturedFrame): void {
  const { values, total, hasMore } = isJsonObject(completion) ? completion : {}
  const at = '/result/completion'
  const statement = 'completion.max-100'
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    probe.fail({
      expected: 'values that are texts',
      actual: shortJson(completion),
      member: at,
      statement,
      frame,
    })
    return
  }
  if (values.length > 100)
    probe.fail({
      expected: 'at most 100 values',
      actual: `${values.length} values`,
      member: `${at}/values`,
      statement,
      frame,
    })
  if (total !== undefined && !Number.isInteger(total))
    probe.fail({
      expected: 'a whole total',
      actual: shortJson(total),
      member: `${at}/total`,
      statement,
      frame,
    })
  if (hasMore !== undefined && typeof hasMore !== 'boolean')
    probe.fail({
      expected: 'true or false',
      actual: shortJson(hasMore),
      member: `${at}/hasMore`,
      statement,
      frame,
    })
  if (typeof total !== 'number') return
  const isMore = total > values.length
  if (total < values.length || (hasMore !== undefined && hasMore !== isMore))
    probe.warn({
      expected: 'total and hasMore that fit the values',
      actual: `${values.length} values, total ${total}, hasMore ${shortJson(hasMore)}`,
      member: at,
      statement,
      frame,
    })
}

export const completionErrors = serverCheck(
  'completion.server.errors',
  async (probe) => {
    requireCompletions(probe)
    const [known] = completed(probe)
    const connection = await probe.connect()
    const argument = { name: 'patchbay', value: 'a' }
    const wrong: readonly { what: string; params: JsonObject; mayBeEmpty?: true }[] = [
      { what: 'an unknown prompt', params: { ref: { type: 'ref/prompt', name: 'patchbay_none' }, argument } },
      {
        what: 'an unknown template',
        params: { ref: { type: 'ref/resource', uri: 'patchbay://none/{x}' }, argument },
      },
      ...(known === undefined
        ? []
        : [
            { what: 'an unknown argument', params: { ref: known.ref, argument }, mayBeEmpty: true as const },
            { what: 'a missing argument', params: { ref: known.ref } },
          ]),
      { what: 'a reference of the type "x"', params: { ref: { type: 'x', name: 'x' }, argument } },
    ]
    for (const { what, params, mayBeEmpty } of wrong) {
      const outcome = await connection.call('completion/complete', params)
      if (outcome.type === 'error') {
        if (outcome.code === -32601 && probe.cell.revision === '2024-11-05')
          probe.notApplicable('the server completes nothing')
        if (outcome.code === -32602 || probe.cell.revision === '2024-11-05') continue
      }
      const completion = outcome.type === 'result' ? outcome.result['completion'] : undefined
      const values = isJsonObject(completion) ? completion['values'] : undefined
      if (mayBeEmpty === true && Array.isArray(values) && values.length === 0) continue
      probe.fail({
        expected: `error -32602 for ${what}`,
        actual: describeOutcome(outcome),
        member: outcome.type === 'error' ? '/error/code' : '/result/completion',
        statement: what.includes('prompt') ? 'completion.error-unknown-prompt' : 'completion.validate-inputs',
        frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
        ...(outcome.type === 'error' && { severity: 'warning' }),
      })
      if (connection.closedReason !== undefined) return
    }
  },
  { title: 'Wrong completions are refused with -32602' },
)

export const completionUndeclared = serverCheck(
  'completion.server.undeclared',
  async (probe) => {
    const connection = await probe.connect()
    if ((await ownCapabilities(connection))['completions'] !== undefined)
      probe.notApplicable('the server declares completions')
    const [known] = completed(probe)
    const { ref, argument } = known ?? { ref: { type: 'ref/prompt', name: 'patchbay_none' }, argument: 'x' }
    const outcome = await connection.call('completion/complete', {
      ref,
      argument: { name: argument, value: '' },
    })
    if (outcome.type === 'error' && outcome.code === -32601) return
    probe.fail({
      severity: outcome.type === 'result' || outcome.type === 'error' ? 'warning' : 'error',
      expected: 'error -32601, as completions are not declared',
      actual: describeOutcome(outcome),
      member: outcome.type === 'error' ? '/error/code' : '/result',
      frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
    })
  },
  { title: 'Completions that are not declared are refused' },
)

export const clientCompletions = clientCheck(
  'completion.client.tolerant',
  async (exam) => {
    const hundred = Array.from({ length: 100 }, (_, index) => `value ${index}`)
    const replies: readonly JsonObject[] = [
      { values: [] },
      { values: hundred, total: 250, hasMore: true },
      { values: ['one'], hasMore: true },
    ]
    exam.on('completion/complete', (turn) => {
      const completion = replies[turn.count]
      if (completion === undefined) return { error: { code: -32603, message: 'No completions today' } }
      const usual = turn.usual()
      return 'result' in usual ? { result: { ...usual.result, completion } } : usual
    })
    await exam.connect()
    const params = { ref: { type: 'ref/prompt', name: 'greeting' }, argument: { name: 'name', value: 'a' } }
    for (const completion of replies) {
      const outcome = await exam.step({ type: 'complete', params })
      exam.expect(outcome.type === 'done', {
        severity: 'warning',
        expected: `${shortJson(completion)} taken`,
        actual: outcome.type === 'failed' ? outcome.message : '',
        frame: exam.messagesOf('completion/complete').at(-1)?.frame,
      })
    }
    await exam.step({ type: 'complete', params })
    const after = await exam.step({ type: 'list', list: 'prompts' })
    exam.expect(after.type === 'done', {
      severity: 'warning',
      expected: 'the client goes on after an error',
      actual: after.type === 'failed' ? after.message : '',
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'The client takes completions of every kind, and none' },
)
