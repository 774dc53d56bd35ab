import { SUPPORTED } from '../../protocol/revisions.ts'
import { claimStandardOutput, stdioServerLink } from '../../transports/stdio/stdio-server.ts'
import { createServer } from '../server.ts'
import { fixtureRegistry } from './fixture-registry.test-support.ts'

// A whole server on standard input and output, as a client starts it; arguments are the revisions that it speaks.
const named = process.argv.slice(2)
const revisions = SUPPORTED.filter((revision) => named.length === 0 || named.includes(revision))
const link = stdioServerLink({ input: process.stdin, output: claimStandardOutput() })
console.log('a stray line, which must not reach the client as a message')
const server = createServer({
  registry: fixtureRegistry(),
  info: { name: 'fixture', version: '1' },
  revisions,
})
await server.attach(link).closed
await server.close()
