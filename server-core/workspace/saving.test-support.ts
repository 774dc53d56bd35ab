/** A process that saves one item after another and tells each, until it is killed. */
import { z } from 'zod'
import { DocumentFile } from './document-file.ts'

const [file = '', first = '0'] = process.argv.slice(2)
const document = new DocumentFile<{ items: string[] }>({
  file,
  version: 1,
  schema: z.object({ items: z.array(z.string()) }),
  empty: () => ({ items: [] }),
  onSetAside: () => process.exit(1),
})
for (let next = Number(first); ; next += 1) {
  await document.update(({ items }) => ({ items: [...items, `${next} ${'x'.repeat(4_000)}`] }))
  process.send?.(next)
}
