import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The text of a script: a tool of that name that adds, whose description says which version it is. */
export function adding(version: number | string): string {
  return `import { tool, z } from 'patchbay'
export default tool({
  description: 'Version ${version}.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => ({ sum: a + b, version: '${version}' }),
})
`
}

/** Saves a script as editors do: beside its place first. */
export async function saveScript(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, 'tools', `${name}.ts`)
  await writeFile(`${file}.tmp`, text)
  await rename(`${file}.tmp`, file)
}
