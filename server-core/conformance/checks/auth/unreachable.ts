import { serverCheck, type Check } from '../../check.ts'

/**
 * Checks that need somebody whom a connection to a server does not show: they are not applicable, with the reason, so
 * that a report counts them as not examined.
 */
const REASONS: readonly (readonly [id: string, title: string, reason: string])[] = [
  ['auth.as.redirect', 'Redirects are registered', 'no authorization server is under test'],
  ['auth.as.cimd', 'Client metadata documents are checked', 'no authorization server is under test'],
  ['auth.as.iss', 'Authorization answers name the issuer', 'no authorization server is under test'],
  ['auth.as.tokens', 'Refresh tokens are rotated', 'no authorization server is under test'],
  [
    'auth.server.passthrough',
    'Tokens are not passed on',
    'no tool is known that calls an upstream server of the exam',
  ],
]

export const UNREACHABLE_AUTHORIZATION_CHECKS: readonly Check[] = REASONS.map(([id, title, reason]) =>
  serverCheck(id, (probe) => Promise.resolve(probe.notApplicable(reason)), { title }),
)
