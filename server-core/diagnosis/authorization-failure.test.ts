import { expect, it } from 'vitest'
import { OAuthError } from '../oauth/oauth-error.ts'
import { TransportError } from '../ports/contract.ts'
import { isAuthorizationFailure } from './authorization-failure.ts'

it('finds a lack of authorization below other errors', () => {
  const unauthorized = new TransportError('unauthorized', 'the server answered 401', {})
  const wrapped = new Error('not connected', { cause: new Error('no answer', { cause: unauthorized }) })
  expect(isAuthorizationFailure(wrapped)).toBe(true)
  expect(isAuthorizationFailure(new Error('', { cause: new OAuthError('denied', 'no') }))).toBe(true)
})

it('finds none in other failures, nor in causes that lead to themselves', () => {
  const closed = new TransportError('closed', 'the connection ended', {})
  expect(isAuthorizationFailure(new Error('not connected', { cause: closed }))).toBe(false)
  const circular = new Error('circular')
  circular.cause = circular
  expect(isAuthorizationFailure(circular)).toBe(false)
})
