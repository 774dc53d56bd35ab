import { expect, it } from 'vitest'
import { bearerChallenge } from './challenge.ts'

const resource_metadata = 'https://a.example/.well-known/oauth-protected-resource'

it('writes each parameter as a quoted string', () => {
  expect(bearerChallenge({ error: 'insufficient_scope', scope: 'read write', resource_metadata })).toBe(
    `Bearer error="insufficient_scope", scope="read write", resource_metadata="${resource_metadata}"`,
  )
  expect(bearerChallenge({ resource_metadata })).toBe(`Bearer resource_metadata="${resource_metadata}"`)
})

it('lets nothing end a parameter or the header', () => {
  const error_description = 'a"b, c\\d\r\nX: y ü'
  expect(bearerChallenge({ error_description, resource_metadata })).toContain(
    `error_description="a'b, c'd??X: y ?"`,
  )
})
