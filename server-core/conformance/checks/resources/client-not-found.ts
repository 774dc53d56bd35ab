import { clientCheck } from '../../check.ts'

export const clientNotFound = clientCheck(
  'resources.client.not-found',
  async (exam) => {
    const codes = [-32002, -32602]
    exam.on('resources/read', ({ count, params }) => ({
      error: { code: codes[count] ?? -32602, message: 'Resource not found', data: { uri: params['uri'] } },
    }))
    await exam.connect()
    for (const code of codes) {
      const read = await exam.step({ type: 'read', uri: 'exam://text' })
      const frame = exam.messagesOf('resources/read').at(-1)?.frame
      exam.expect(read.type === 'failed', {
        expected: `error ${code} reported as a missing resource`,
        actual: 'a success',
        frame,
      })
      const before = exam.messagesOf('prompts/list').length
      const after = await exam.step({ type: 'list', list: 'prompts' })
      const isServed = after.type === 'done' && exam.messagesOf('prompts/list').length > before
      exam.expect(isServed, {
        severity: 'warning',
        expected: `the connection kept after error ${code}`,
        actual: after.type === 'failed' ? after.message : 'no further request',
        frame: exam.received.at(-1)?.frame,
      })
    }
  },
  { title: 'The client takes both codes for a missing resource' },
)
