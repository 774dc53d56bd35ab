import { expect, test } from 'vitest'
import { readHostName, requireKnownHost } from './host-names.ts'

test.each(['localhost', 'notes.test', 'a_b-c.test.', '10.0.0.1', '::1', 'fe80::1%eth0', '::ffff:127.0.0.1'])(
  '%s is a host',
  (text) => {
    expect(readHostName(text, '--host')).toBe(text)
  },
)

test('brackets are taken off', () => {
  expect(readHostName('[fd00::1]', '--host')).toBe('fd00::1')
})

test.each([
  ['http://foo', '; did you mean foo?'],
  ['http://127.0.0.1', '; did you mean 127.0.0.1?'],
  ['bar:41020', '; did you mean bar?'],
  ['[::1]:80', '; did you mean [::1]?'],
  ['bücher.test', '; did you mean xn--bcher-kva.test?'],
  ['*.test', ''],
  ['a b', ''],
  ['', ''],
  [':::', ''],
])('rejects "%s"', (text, hint) => {
  expect(() => readHostName(text, '--host')).toThrow(
    `--host expects the name or address of a host, without scheme and port, got "${text}"${hint}`,
  )
})

test('a name that nobody knows is told apart from one that others can reach', async () => {
  await expect(requireKnownHost('nonsense.invalid')).rejects.toThrow('the host nonsense.invalid is not known')
  await requireKnownHost('0.0.0.0')
  await requireKnownHost('localhost')
})
