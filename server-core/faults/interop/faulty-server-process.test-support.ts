import { claimStandardOutput, stdioServerLink } from '../../transports/stdio/stdio-server.ts'
import { createServer } from '../../server/server.ts'
import { FaultControl } from '../fault-control.ts'
import { faultyRegistry } from './faulty-registry.test-support.ts'

// A whole server on standard input and output, whose faults are set by a tool.
const control = new FaultControl()
const link = stdioServerLink({ input: process.stdin, output: claimStandardOutput(), faults: control })
const server = createServer({ registry: faultyRegistry(control), info: { name: 'faulty', version: '1' } })
await server.attach(link).closed
await server.close()
