import { reportTo } from './account.ts'
import { bareAnswer } from './bare-answer.ts'

let rest: Buffer = Buffer.alloc(0)
process.stdin.on('data', (chunk: Buffer) => {
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
  let start = 0
  let answers = ''
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    answers += `${bareAnswer(bytes.toString('utf8', start, end))}\n`
    start = end + 1
  }
  rest = bytes.subarray(start)
  process.stdout.write(answers)
})
reportTo(process)
