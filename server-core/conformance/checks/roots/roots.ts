import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import { askClient, callOnce, clientDeclares, describeAnswer } from '../mrtr/ask-client.ts'
import { callAnswering, usualAnswer, type Answer, type Question } from '../mrtr/call-answering.ts'

export const rootsCapability = clientCheck(
  'roots.client.capability',
  async (exam) => {
    const answer = await askClient(exam, 'roots/list')
    const isDeclared = clientDeclares(exam, 'roots')
    const report = {
      expected: isDeclared ? 'roots/list answered, as roots are declared' : 'roots/list refused with -32601',
      actual: describeAnswer(answer),
      member: answer.type === 'error' ? '/error/code' : '/result',
      frame: answer.frame,
    }
    if (isDeclared) exam.expect(answer.type === 'result', report)
    else if (answer.type === 'result' || answer.type === 'silence') exam.fail(report)
    else if (answer.type === 'error' && answer.code !== -32601)
      exam.warn({ ...report, statement: 'roots.unsupported-32601' })
  },
  { title: 'Roots are given if they are declared, else refused' },
)

const ROOTS = { roots: [{ uri: 'file:///home/exam', name: 'exam' }] }

function offerRoots(exam: ClientExam, roots: () => JsonObject = () => ROOTS): void {
  exam.set({ capabilities: ['roots'], answers: { 'roots/list': roots } })
}

/** The roots of an answer; the check ends unless the client declares and gives them. */
async function askRoots(
  exam: ClientExam,
): Promise<{ roots: readonly unknown[]; frame: Parameters<ClientExam['fail']>[0]['frame'] }> {
  const answer = await askClient(exam, 'roots/list')
  if (!clientDeclares(exam, 'roots')) exam.notApplicable('the client declares no roots')
  if (answer.type !== 'result') return exam.inconclusive(`roots/list: ${describeAnswer(answer)}`)
  const { roots } = answer.result
  return { roots: Array.isArray(roots) ? (roots as unknown[]) : [], frame: answer.frame }
}

export const rootUris = clientCheck(
  'roots.client.uris',
  async (exam) => {
    offerRoots(exam)
    const { roots, frame } = await askRoots(exam)
    if (roots.length === 0) exam.inconclusive('the client gave no roots')
    for (const [index, root] of roots.entries()) {
      const uri = isJsonObject(root) ? root['uri'] : undefined
      exam.expect(typeof uri === 'string' && uri.startsWith('file://') && URL.canParse(uri), {
        expected: 'a file:// URI',
        actual: shortJson(uri),
        member: `/result/roots/${index}/uri`,
        frame,
      })
    }
  },
  { title: 'Roots are file:// URIs' },
)

const CHANGED = 'notifications/roots/list_changed'

export const rootsChanged = clientCheck(
  'roots.client.changed',
  async (exam) => {
    let isChanged = false
    const added = { uri: 'file:///home/added', name: 'added' }
    offerRoots(exam, () => ({ roots: isChanged ? [...ROOTS.roots, added] : ROOTS.roots }))
    await callOnce(exam)
    if (!clientDeclares(exam, 'roots.listChanged'))
      exam.notApplicable('the client does not declare roots.listChanged')
    isChanged = true
    const step = await exam.step({ type: 'change-roots' })
    if (step.type === 'failed') exam.inconclusive(`the driver could not change the roots: ${step.message}`)
    const notice = await exam.waitForMethod(CHANGED)
    exam.expect(notice !== undefined, {
      expected: CHANGED,
      actual: 'no notice',
      frame: exam.received.at(-1)?.frame,
    })
    const { roots, frame } = await askRoots(exam)
    exam.expect(
      roots.some((root) => isJsonObject(root) && root['uri'] === added.uri),
      { expected: 'the new list on request', actual: shortJson(roots), member: '/result/roots', frame },
    )
  },
  { title: 'Changes of roots are announced' },
)

export const rootsUsed = serverCheck(
  'roots.server.use',
  async (probe) => {
    const tool = probe.fixture('roots')
    const connection = await probe.connect({ capabilities: { roots: { listChanged: true } } })
    const [first, second] = ['file:///tmp/patchbay-one', 'file:///tmp/patchbay-vanished']
    let current = first
    const answer = (question: Question): Answer =>
      question.method === 'roots/list' ? { result: { roots: [{ uri: current }] } } : usualAnswer(question)
    const before = await callAnswering(connection, tool, answer)
    if (before.questions.length === 0) probe.inconclusive(`${tool.name} asked for no roots`)
    current = second
    if (!probe.isModern) await connection.notify(CHANGED)
    const after = await callAnswering(connection, tool, answer)
    const text = JSON.stringify(after.outcome.type === 'result' ? after.outcome.result : {})
    const frame = after.outcome.frame ?? after.outcome.sent
    const isOld = text.includes(first) && !text.includes(second)
    probe.expect(!isOld, {
      expected: `the new roots (${second}) used after the change`,
      actual: text.slice(0, 200),
      member: '/result',
      statement: 'roots.server-list-changes',
      frame,
    })
    probe.expect(after.outcome.type === 'result' || after.outcome.type === 'error', {
      expected: 'a root that vanished handled',
      actual: describeOutcome(after.outcome),
      statement: 'roots.server-unavailable',
      frame,
    })
    const bare = await probe.connect()
    const none = await callAnswering(bare, tool)
    for (const question of none.questions.filter(({ method }) => method === 'roots/list'))
      probe.fail({
        expected: 'no roots/list, as roots are not declared',
        actual: question.method,
        member: '/method',
        statement: 'roots.server-checks-capability',
        frame: question.frame,
      })
    probe.expect(none.outcome.type === 'result' || none.outcome.type === 'error', {
      expected: 'a call without roots handled',
      actual: describeOutcome(none.outcome),
      statement: 'roots.server-unavailable',
      frame: none.outcome.frame ?? none.outcome.sent,
    })
  },
  { title: 'The server uses the roots of the client as they are now' },
)
