import { connectTo } from '../../server-core/client/connect-to.ts'
import { callTool } from '../../server-core/client/requests/call-tool.ts'
import { beginRounds, openQuestions, readRounds, withAnswer } from '../../server-core/client/rounds/rounds.ts'
import { exampleServer, reader } from './example-server.ts'

// What is answered is declared. An answer that does not fit its question is not sent.
const connection = await connectTo(exampleServer('questions'), {
  ...reader,
  protocol: '2026-07-28',
  responders: {
    elicitation: { form: () => Promise.resolve({ action: 'accept', content: { seats: 2 } }) },
    roots: () => Promise.resolve({ roots: [{ uri: 'file:///work', name: 'work' }] }),
  },
})
for (const name of ['book', 'folders']) {
  const call = await callTool(connection, { name })
  if (call.type === 'result') console.log(JSON.stringify(call.result['content']))
}

// By hand (2026-07-28): between two rounds there is only plain data, which may be stored and read again.
let outcome = await connection.sendRound(beginRounds('tools/call', { name: 'introduce', arguments: {} }))
while (outcome.type === 'ask') {
  let rounds = readRounds(JSON.parse(JSON.stringify(outcome.rounds)))
  for (const [key] of openQuestions(rounds)) {
    const value = key === 'name' ? 'Ada' : 'London'
    rounds = withAnswer(rounds, key, { action: 'accept', content: { value } })
  }
  outcome = await connection.sendRound(rounds)
}
console.log(JSON.stringify(outcome.result['content']))
await connection.close()
