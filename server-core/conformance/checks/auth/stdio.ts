import { clientCheck, type Check } from '../../check.ts'

const stdioNone = clientCheck(
  'auth.stdio.none',
  async (exam) => {
    exam.on('tools/call', () => ({
      error: { code: -32001, message: '401 Unauthorized', data: { status: 401, wwwAuthenticate: 'Bearer' } },
    }))
    await exam.step({ type: 'list', list: 'tools' })
    const requests = exam.exchanges.length
    await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } })
    await exam.step({ type: 'ping' })
    const began = exam.exchanges.slice(requests)
    if (began.length > 0 || exam.connections.length > 1)
      exam.warn({
        expected: 'no authorization over stdio',
        actual: began.length > 0 ? `${began[0]?.method ?? ''} ${began[0]?.path ?? ''}` : 'a second process',
        frame: began[0]?.frame,
      })
  },
  { title: 'Over stdio no error begins an authorization' },
)

/** Checks of authorization that need no authorization server. */
export const PLAIN_AUTHORIZATION_CHECKS: readonly Check[] = [stdioNone]
