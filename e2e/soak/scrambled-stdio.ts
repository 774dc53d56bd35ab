/** A server on standard input and output that scrambles its answers: `node scrambled-stdio.ts SEED`. */
import { createInterface } from 'node:readline'
import { Random } from '../random.ts'
import { scrambledServer } from './scrambled-server.ts'

const serve = scrambledServer(new Random(Number(process.argv[2])))
createInterface({ input: process.stdin }).on('line', (line) => {
  serve(JSON.parse(line), (message) => process.stdout.write(`${JSON.stringify(message)}\n`))
})
