import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import type { ExamAuthority } from '../../exam/exam-authority.ts'
import { attempt, lastFrame, type Attempt } from './attempt.ts'

/** The scopes of an authorization request; undefined for none. */
function scopesOf({ authorizations }: Attempt, place = 0): readonly string[] | undefined {
  return authorizations[place]?.request.get('scope')?.split(' ').filter(Boolean)
}

/** The usual challenge with scopes in it. */
function challengeWith(authority: ExamAuthority, scope: string, error?: string): string {
  const usual = authority.challenge ?? 'Bearer'
  return `${usual}, ${error === undefined ? '' : `error="${error}", `}scope="${scope}"`
}

export const scopeChoice = clientCheck(
  'auth.client.scope-choice',
  async (exam) => {
    const authority = exam.protect()
    const { challenge, resource } = authority
    const supported = ['read', 'write']
    const cases = [
      { challenged: 'special', supported, expected: ['special'] },
      { challenged: undefined, supported, expected: supported },
      { challenged: undefined, supported: undefined, expected: [] },
    ]
    for (const each of cases) {
      authority.challenge = challenge
      if (each.challenged !== undefined) authority.challenge = challengeWith(authority, each.challenged)
      authority.resource = {
        ...resource,
        ...(each.supported !== undefined && { scopes_supported: each.supported }),
      }
      const tried = await attempt(exam, authority)
      if (tried.authorizations.length === 0)
        return exam.inconclusive(`the client asked for no authorization: ${describeEnding(tried.ending)}`)
      const scopes = (scopesOf(tried) ?? []).filter((scope) => scope !== 'offline_access')
      const isRight =
        scopes.length === each.expected.length && each.expected.every((scope) => scopes.includes(scope))
      if (isRight) continue
      const finding = {
        expected: each.expected.length === 0 ? 'no scope' : `the scopes ${each.expected.join(' ')}`,
        actual: scopes.join(' ') || 'none',
        statement:
          each.challenged === undefined ? 'auth.scope-absent-fallback' : 'auth.scope-challenge-authoritative',
        frame: lastFrame(tried),
      }
      if (each.challenged !== undefined && !scopes.includes(each.challenged)) exam.fail(finding)
      else exam.warn(finding)
    }
  },
  { title: 'The client asks for the scopes of the challenge' },
)

const MOST_TRIES = 3

/** Whether an HTTP request calls a tool. */
const isCall = (json: unknown) => isJsonObject(json) && json['method'] === 'tools/call'

export const stepUp = clientCheck(
  'auth.client.step-up',
  async (exam) => {
    const authority = exam.protect()
    const refusal = { status: 403, challenge: challengeWith(authority, 'more', 'insufficient_scope') }
    authority.challenge = challengeWith(authority, 'base')
    let refused = 0
    authority.refuse = ({ json }) => {
      if (!isCall(json) || refused > 0) return undefined
      refused += 1
      return refusal
    }
    const once = await attempt(exam, authority)
    if (refused === 0) return exam.inconclusive('the client called no tool')
    const second = scopesOf(once, 1)
    exam.expect(second?.includes('base') === true && second.includes('more'), {
      expected: 'an authorization with the scopes base and more',
      actual: second === undefined ? 'no further authorization' : second.join(' '),
      statement: 'auth.step-up-union',
      frame: lastFrame(once),
    })
    for (const scopes of [['more'], ['more', 'other']]) {
      let count = 0
      authority.refuse = ({ json }) => {
        if (!isCall(json)) return undefined
        const scope = scopes[(count += 1) % scopes.length] ?? 'more'
        return { ...refusal, challenge: refusal.challenge.replace('"more"', `"${scope}"`) }
      }
      const always = await attempt(exam, authority)
      exam.expect(always.ending.type === 'failed' && count <= MOST_TRIES + 1, {
        expected: `a report after ${MOST_TRIES} tries at most`,
        actual: `${count} tries and ${describeEnding(always.ending)}`,
        statement: 'auth.step-up-retry-limit',
        frame: lastFrame(always),
      })
    }
  },
  { title: 'The client asks for missing scopes, and gives up in time' },
)

export const loop401 = clientCheck(
  'auth.client.401-loop',
  async (exam) => {
    const authority = exam.protect()
    const challenge = authority.challenge ?? 'Bearer'
    authority.refuse = () => ({ status: 401, challenge })
    const tried = await attempt(exam, authority)
    const posts = tried.exchanges.filter(({ method, path }) => method === 'POST' && path === '/mcp')
    const perMethod = Map.groupBy(posts, ({ json }) => (isJsonObject(json) ? json['method'] : undefined))
    const most = Math.max(0, ...[...perMethod.values()].map(({ length }) => length))
    exam.expect(tried.ending.type === 'failed' && most <= MOST_TRIES + 1, {
      expected: `an error after ${MOST_TRIES} repeats at most`,
      actual: `${most} requests and ${describeEnding(tried.ending)}`,
      frame: lastFrame(tried),
    })
  },
  { title: 'The client does not loop over 401' },
)
