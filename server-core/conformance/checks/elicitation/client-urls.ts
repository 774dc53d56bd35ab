import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clientCheck } from '../../check.ts'
import { elapsed } from '../../probe/waits.ts'
import { askClient, callOnce, clientDeclares, describeAnswer } from '../mrtr/ask-client.ts'
import { urlRequest } from './client-forms.ts'

const METHOD = 'elicitation/create'
const COMPLETE = 'notifications/elicitation/complete'

export const urlCompletion = clientCheck(
  'elicitation.client.complete',
  async (exam) => {
    exam.set({
      capabilities: ['elicitation', 'elicitation.url'],
      answers: { [METHOD]: () => ({ action: 'accept' }) },
    })
    const answer = await askClient(exam, METHOD, urlRequest('https://example.com/'))
    if (!clientDeclares(exam, 'elicitation.url'))
      exam.notApplicable('the client declares no elicitation by URL')
    if (answer.type !== 'result') exam.inconclusive(describeAnswer(answer))
    exam.on('tools/call', (turn) => turn.usual())
    const connection = await exam.connection()
    for (const elicitationId of ['never-heard-of', 'exam-elicitation', 'exam-elicitation']) {
      connection.notify(COMPLETE, { elicitationId })
      const after = await callOnce(exam)
      exam.expect(after.type === 'done' && connection.closedReason === undefined, {
        expected: `the client goes on after the completion of ${elicitationId}`,
        actual: after.type === 'failed' ? after.message : 'the connection ended',
        statement:
          elicitationId === 'never-heard-of'
            ? 'elicitation.complete-unknown-ignored'
            : 'elicitation.complete-notice',
        frame: exam.received.at(-1)?.frame,
      })
    }
  },
  { title: 'The client copes with every notice of a completion' },
)

export const urlCanary = clientCheck(
  'elicitation.client.url-canary',
  async (exam) => {
    const hits: string[] = []
    const canary = createServer((request, response) => {
      hits.push(`${request.method ?? ''} ${request.url ?? ''}`)
      response.end('canary')
    })
    canary.listen(0, '127.0.0.1')
    await once(canary, 'listening')
    try {
      let action = 'decline'
      exam.set({
        capabilities: ['elicitation', 'elicitation.url'],
        answers: {
          [METHOD]: async () => {
            // Long enough for a client that looks at the page by itself.
            await elapsed(Math.min(300, exam.waits.silenceMs))
            return { action }
          },
        },
      })
      const { port } = canary.address() as AddressInfo
      const answer = await askClient(exam, METHOD, urlRequest(`http://127.0.0.1:${port}/canary`))
      if (!clientDeclares(exam, 'elicitation.url'))
        exam.notApplicable('the client declares no elicitation by URL')
      await elapsed(Math.min(300, exam.waits.silenceMs))
      exam.expect(hits.length === 0, {
        expected: 'nothing fetched before the user agrees',
        actual: hits.join(', '),
        member: '/params/url',
        frame: answer.frame,
      })
      action = 'accept'
      for (const url of ['javascript:alert(1)', 'file:///etc/passwd']) {
        const unsafe = await askClient(exam, METHOD, urlRequest(url))
        exam.expect(unsafe.type !== 'result' || unsafe.result['action'] !== 'accept', {
          expected: `${url} refused`,
          actual: describeAnswer(unsafe),
          member: '/result/action',
          statement: 'elicitation.url-careful',
          frame: unsafe.frame,
        })
      }
    } finally {
      canary.close()
      canary.closeAllConnections()
    }
  },
  { title: 'Pages are opened by the user alone' },
)
