import type { TemplateName } from '../contract/editor.ts'
import { HostError } from '../host-error.ts'

const FOLDERS: Readonly<Record<TemplateName, string>> = {
  tool: 'tools/',
  resource: 'resources/',
  template: 'resources/',
  prompt: 'prompts/',
  config: '',
}

/**
 * Returns the file that a template creates: a small working script, valid as TypeScript and JavaScript.
 *
 * @param name with `.js`, `.mjs`, `.ts` or `.mts` at its end that kind of file
 * @throws HostError if the name is invalid
 */
export function templateFile(
  template: TemplateName,
  name: string,
): { readonly file: string; readonly text: string } {
  const [, stem = '', extension = '.ts'] = /^(.*?)(\.[cm]?[jt]s)?$/s.exec(name) ?? []
  if (template === 'config') return { file: `patchbay.config${extension}`, text: TEXTS.config('') }
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(stem)) {
    throw new HostError(
      'INVALID_NAME',
      `${JSON.stringify(name)} cannot be the name of a script. Expected letters, digits, - and _, such as forecast.`,
    )
  }
  return { file: `${FOLDERS[template]}${stem}${extension}`, text: TEXTS[template](stem) }
}

const TEXTS: Readonly<Record<TemplateName, (name: string) => string>> = {
  tool: (name) => `import { tool, z } from 'patchbay'

// The file name is the tool's name: ${name}. Save, and every connected client has it.
export default tool({
  description: 'Greets somebody, a few times if asked to.',
  input: z.object({
    name: z.string().describe('Who is greeted'),
    times: z.number().int().min(1).max(5).default(1),
  }),
  output: z.object({ greetings: z.array(z.string()) }),
  annotations: { readOnlyHint: true },
  run({ name, times }, ctx) {
    const greetings = []
    for (let done = 1; done <= times; done += 1) {
      greetings.push(\`Hello, \${name}!\`)
      ctx.progress(done, times)
    }
    return { greetings }
  },
})
`,
  resource: (name) => `import { resource } from 'patchbay'

export default resource({
  uri: '${name}://now',
  title: 'The time',
  description: 'The time at which it is read.',
  mimeType: 'application/json',
  read: () => JSON.stringify({ now: new Date().toISOString() }),
})
`,
  template: (name) => `import { template } from 'patchbay'

const planets = new Map([
  ['mercury', 88],
  ['venus', 225],
  ['earth', 365],
  ['mars', 687],
])

// Reading ${name}://mars gives what read() makes of { planet: 'mars' }.
export default template({
  uriTemplate: '${name}://{planet}',
  title: 'Length of a year',
  description: 'Days that a planet takes around the sun.',
  complete: { planet: [...planets.keys()] },
  list: () => [...planets.keys()].map((planet) => ({ uri: \`${name}://\${planet}\`, name: planet })),
  read: ({ planet }) => {
    const days = planets.get(planet)
    return days === undefined ? undefined : \`A year on \${planet} has \${days} days.\`
  },
})
`,
  prompt: () => `import { prompt } from 'patchbay'

export default prompt({
  description: 'Asks a model to explain something in its own words.',
  arguments: [
    { name: 'subject', description: 'What is explained', required: true },
    { name: 'reader', description: 'Who it is explained to' },
  ],
  complete: { reader: ['a child', 'a colleague', 'an expert'] },
  get: ({ subject, reader = 'a colleague' }) =>
    \`Explain \${subject} to \${reader}, in at most five sentences and with one example.\`,
})
`,
  config: () => `import { config } from 'patchbay'

// What applies to all scripts, and what the server is composed of.
export default config({
  instructions: 'What models should know of this server before they use it.',
  guards: [
    {
      name: 'no-empty-arguments',
      allows: (call) =>
        Object.values(call.arguments).every((value) => value !== '') || 'An argument is an empty text.',
    },
  ],
  interceptors: [
    async (call, next) => {
      const start = performance.now()
      const result = await next()
      console.log(\`\${call.kind} \${call.name}: \${Math.round(performance.now() - start)} ms\`)
      return result
    },
  ],
})
`,
}
