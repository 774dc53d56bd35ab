import { expect, it } from 'vitest'
import { explainFailure, type FailureFacts } from './explain-failure.ts'

const facts = { url: 'https://a.example/mcp', httpStatus: 401 }
const refused: FailureFacts = {
  code: 'unauthorized',
  message: 'the server refused',
  moment: 'connecting',
  place: 'window',
  facts,
}

it('tells missing credentials from a lack of permission', () => {
  const { title, explanation } = explainFailure(refused)
  expect(title).toContain('a.example answered 401')
  expect(explanation).toContain('enter its bearer token')
  const forbidden = explainFailure({ ...refused, facts: { ...facts, httpStatus: 403 } })
  expect(forbidden.explanation).toContain('may do this')
  expect(forbidden.explanation).not.toContain('bearer token')
})

it('names the remedy of the place where the user is', () => {
  expect(explainFailure({ ...refused, place: 'flags' }).explanation).toContain('--header')
  const needed = { ...refused, code: 'authorization-needed' }
  expect(explainFailure(needed).explanation).toContain('your browser opens its page')
  expect(explainFailure({ ...needed, place: 'stored' }).explanation).toContain('--authorize')
  const certificate = { ...refused, code: 'certificate' }
  expect(explainFailure(certificate).explanation).toContain('NODE_EXTRA_CA_CERTS')
  expect(explainFailure({ ...certificate, place: 'flags' }).explanation).toContain('--cacert')
})
