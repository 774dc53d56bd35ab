import { clientCheck } from '../../check.ts'

export const pkce = clientCheck(
  'auth.client.pkce',
  async (exam) => {
    const authority = exam.protect()
    const outcome = await exam.run()
    if (authority.authorizations.length === 0)
      exam.inconclusive(
        `the client asked for no authorization: ${outcome.type === 'failed' ? outcome.message : ''}`,
      )
    const challenges = new Set<string>()
    for (const { request, token, verified } of authority.authorizations) {
      const challenge = request.get('code_challenge')
      const method = request.get('code_challenge_method')
      if (challenge === null) {
        exam.fail({ expected: 'a code_challenge', actual: 'none', statement: 'auth.pkce-required' })
        continue
      }
      exam.expect(!challenges.has(challenge), {
        expected: 'a new code_challenge for each authorization',
        actual: challenge,
        statement: 'auth.pkce-required',
      })
      challenges.add(challenge)
      if (method !== 'S256') {
        const finding = { expected: 'S256', actual: method ?? 'plain', statement: 'auth.pkce-s256' }
        if (exam.cell.revision < '2025-11-25') exam.warn(finding)
        else exam.fail(finding)
      }
      const verifier = token?.get('code_verifier') ?? ''
      exam.expect(verified === true && /^[\w.~-]{43,128}$/.test(verifier), {
        expected: 'a code_verifier of 43 to 128 characters that fits the challenge',
        actual: `${verifier.length} characters${verified === true ? '' : ' that do not fit'}`,
        statement: 'auth.pkce-required',
      })
    }
  },
  { title: 'The client uses PKCE with S256' },
)

const ODD_PATH = '/somewhere/metadata.json'

export const discoveryChallenge = clientCheck(
  'auth.client.discovery-challenge',
  async (exam) => {
    const authority = exam.protect()
    const { publicOrigin } = exam.server
    authority.resourcePath = ODD_PATH
    authority.challenge = `Basic realm="a, b", Bearer error="invalid_token", error_description="one, two", resource_metadata="${publicOrigin}${ODD_PATH}"`
    const outcome = await exam.run()
    const [first] = authority.metadataPaths
    if (first === undefined && exam.exchanges.length === 0) exam.inconclusive('the client never connected')
    exam.expect(first === ODD_PATH, {
      expected: `metadata read from ${ODD_PATH} first`,
      actual: first ?? (outcome.type === 'failed' ? outcome.message : 'nothing was read'),
      frame: exam.exchanges.find(({ path }) => path === first)?.frame,
    })
  },
  { title: 'The client reads the metadata that the challenge names' },
)
