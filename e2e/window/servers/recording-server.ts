import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { parseExact } from '../../../server-core/protocol/exact-json.ts'
import { isJsonObject } from '../../../server-core/protocol/json.ts'

const [file = '', command = '', ...args] = process.argv.slice(2)

// Runs a stdio server and writes the method of each message that its client sends to a file, one a line.
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
server.on('exit', (code) => process.exit(code ?? 1))
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const message: unknown = parseExact(line, 'text')
  if (isJsonObject(message) && typeof message['method'] === 'string')
    appendFileSync(file, `${message['method']}\n`)
  server.stdin.write(`${line}\n`)
})
lines.on('close', () => server.stdin.end())
await pipeline(server.stdout, process.stdout)
