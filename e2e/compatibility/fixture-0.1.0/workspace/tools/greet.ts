import { tool, z } from 'patchbay'

export default tool({
  description: 'Greets somebody.',
  input: z.object({ name: z.string() }),
  run: ({ name }) => `Hello ${name}`,
})
