import { connectTo } from '../../server-core/client/connect-to.ts'
import { complete } from '../../server-core/client/requests/complete.ts'
import { getPrompt, readResource } from '../../server-core/client/requests/read.ts'
import { exampleServer, reader } from './example-server.ts'

const connection = await connectTo(exampleServer('resources'), reader)

// All pages at once: what can be used, what is flawed, what cannot be used, and why.
const { items, flawed, malformed, problem } = await connection.listResources()
console.log(items.length, flawed.length, malformed.length, problem ?? 'whole')

// Page by page, no further than wanted.
for await (const page of connection.pages('tools')) {
  console.log(page.items.map(({ name }) => name).join())
  break
}

const { contents } = await readResource(connection, 'about://text')
console.log(contents[0]?.['text'])
await connection.close()

const library = await connectTo(exampleServer('prompts'), reader)
const { messages } = await getPrompt(library, { name: 'travel', arguments: { country: 'Norway' } })
console.log(JSON.stringify(messages[0]?.['content']))
const { values } = await complete(library, {
  of: { prompt: 'travel' },
  argument: { name: 'city', value: 'o' },
  context: { country: 'Norway' },
})
console.log(values.join())
await library.close()
