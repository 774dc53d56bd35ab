import { connect } from 'node:net'

// The command that an examined client starts as its server: it joins its standard input and output with the exam
// server, which listens on the port that the last argument names.
const port = Number(process.argv.at(-1))
const data = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
const control = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
const say = (event: object) => control.write(`${JSON.stringify(event)}\n`)

data.write('data\n')
control.write('control\n')
say({
  type: 'started',
  pid: process.pid,
  arguments: process.argv.slice(2),
  environment: Object.keys(process.env),
})
process.stdin.on('end', () => {
  say({ type: 'input-ended' })
})
process.stdin.pipe(data)
data.pipe(process.stdout)
process.stdout.on('error', () => {
  say({ type: 'output-closed' })
})

let ignoresTerm = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    say({ type: 'signal', signal })
    if (!ignoresTerm) setTimeout(() => process.exit(0), 5)
  })
}

let rest = ''
control.on('data', (bytes) => {
  const lines = (rest + bytes.toString()).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) {
    const [command, value = ''] = line.split(' ', 2)
    if (command === 'exit') process.exit(Number(value))
    else if (command === 'stderr') process.stderr.write(Buffer.from(value, 'base64'))
    else if (command === 'ignore-term') ignoresTerm = true
  }
})
data.on('end', () => {
  if (!ignoresTerm) process.exit(0)
})
for (const socket of [data, control]) socket.on('error', () => process.exit(1))
