import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { attempt, lastFrame } from './attempt.ts'

const CODE = (asked: URLSearchParams) => asked.get('grant_type') === 'authorization_code'

export const stateVerified = clientCheck(
  'auth.client.state',
  async (exam) => {
    const authority = exam.protect()
    const cases: readonly (readonly [what: string, alter: (callback: URL) => void])[] = [
      [
        'without state',
        (callback) => {
          callback.searchParams.delete('state')
        },
      ],
      [
        'with another state',
        (callback) => {
          callback.searchParams.set('state', 'patchbay-other')
        },
      ],
    ]
    for (const [what, alter] of cases) {
      let hadState = false
      authority.alterCallback = (callback, request) => {
        hadState ||= request.has('state')
        alter(callback)
      }
      const tried = await attempt(exam, authority)
      if (tried.authorizations.length === 0)
        return exam.inconclusive(`the client asked for no authorization: ${describeEnding(tried.ending)}`)
      if (!tried.tokenRequests.some(CODE)) continue
      exam.warn({
        expected: `a callback ${what} dropped`,
        actual: tried.authorizations.some(({ request }) => request.has('state'))
          ? 'its code redeemed'
          : 'its code redeemed, as no state was sent',
        frame: lastFrame(tried),
      })
    }
  },
  { title: 'The client compares the state' },
)

type IssuerCase = {
  readonly what: string
  readonly isAdvertised: boolean
  readonly iss: (issuer: string) => string | undefined
  readonly isRedeemed: boolean
  readonly statement: string
}

const ISSUERS: readonly IssuerCase[] = [
  {
    what: 'the right issuer',
    isAdvertised: true,
    iss: (issuer) => issuer,
    isRedeemed: true,
    statement: 'auth.iss-validate-before-token',
  },
  {
    what: 'no issuer, though one is announced',
    isAdvertised: true,
    iss: () => undefined,
    isRedeemed: false,
    statement: 'auth.iss-missing-reject',
  },
  {
    what: 'another issuer',
    isAdvertised: true,
    iss: () => 'https://other.example',
    isRedeemed: false,
    statement: 'auth.iss-validate-before-token',
  },
  {
    what: 'another issuer that is not announced',
    isAdvertised: false,
    iss: () => 'https://other.example',
    isRedeemed: false,
    statement: 'auth.iss-unadvertised-compare',
  },
  {
    what: 'no issuer, as announced',
    isAdvertised: false,
    iss: () => undefined,
    isRedeemed: true,
    statement: 'auth.iss-absent-proceed',
  },
  {
    what: 'a trailing slash more',
    isAdvertised: true,
    iss: (issuer) => `${issuer}/`,
    isRedeemed: false,
    statement: 'auth.iss-no-normalisation',
  },
  {
    what: 'another case of the scheme',
    isAdvertised: true,
    iss: (issuer) => issuer.replace(/^http/, 'HTTP'),
    isRedeemed: false,
    statement: 'auth.iss-no-normalisation',
  },
  {
    what: 'a percent-encoded path',
    isAdvertised: true,
    iss: (issuer) => issuer.replace('/as', '/%61s'),
    isRedeemed: false,
    statement: 'auth.iss-no-normalisation',
  },
]

export const issuerVerified = clientCheck(
  'auth.client.iss',
  async (exam) => {
    const authority = exam.protect()
    const { metadata } = authority
    for (const { what, isAdvertised, iss, isRedeemed, statement } of ISSUERS) {
      authority.metadata = {
        ...metadata,
        authorization_response_iss_parameter_supported: isAdvertised,
      }
      authority.alterCallback = (callback) => {
        const value = iss(authority.issuer)
        if (value === undefined) callback.searchParams.delete('iss')
        else callback.searchParams.set('iss', value)
      }
      const tried = await attempt(exam, authority)
      if (tried.authorizations.length === 0)
        return exam.inconclusive(`the client asked for no authorization: ${describeEnding(tried.ending)}`)
      const wasRedeemed = tried.tokenRequests.some(CODE)
      exam.expect(wasRedeemed === isRedeemed, {
        expected: `a code with ${what} ${isRedeemed ? 'redeemed' : 'refused'}`,
        actual: wasRedeemed ? 'redeemed' : `refused: ${describeEnding(tried.ending)}`,
        statement,
        frame: lastFrame(tried),
      })
    }
  },
  { title: 'The client compares the issuer of an authorization answer' },
)

const CANARY = 'patchbay-canary-text'

export const issuerError = clientCheck(
  'auth.client.iss-error',
  async (exam) => {
    const authority = exam.protect()
    authority.alterCallback = (callback) => {
      callback.searchParams.delete('code')
      callback.searchParams.set('error', 'access_denied')
      callback.searchParams.set('error_description', CANARY)
      callback.searchParams.set('iss', 'https://other.example')
    }
    const client = await exam.client()
    const ending = await exam.ending(exam.run(), 8_000)
    if (authority.authorizations.length === 0)
      return exam.inconclusive(`the client asked for no authorization: ${describeEnding(ending)}`)
    const shown = `${client.output()}\n${ending.type === 'failed' ? ending.message : ''}`
    exam.expect(!shown.includes(CANARY), {
      expected: 'nothing shown of the error of another issuer',
      actual: `"${CANARY}" was shown`,
      frame: exam.exchanges.at(-1)?.frame,
    })
  },
  { title: 'Errors of another issuer are not shown' },
)
