import { claimStandardOutput, stdioServerLink } from '../../transports/stdio-server.ts'
import { createServer } from '../server.ts'
import { fixtureRegistry } from './fixture-registry.test-support.ts'

// A whole server on standard input and output, as a client starts it.
const link = stdioServerLink({ input: process.stdin, output: claimStandardOutput() })
console.log('a stray line, which must not reach the client as a message')
const server = createServer({ registry: fixtureRegistry(), info: { name: 'fixture', version: '1' } })
await server.attach(link).closed
await server.close()
