import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PACKAGE_NAME } from '../product/package-name.ts'
import { StorageError, systemCode } from './storage-error.ts'
import { makeFolder } from './make-folder.ts'
import { messageOf } from '../protocol/error-message.ts'

const CONFIG = `import { config } from 'patchbay'

// What applies to all scripts: a lifespan, guards, interceptors; and what else the server is composed of:
// mounts, proxies, OpenAPI documents, files, folders, URLs.
export default config({
  name: 'NAME',
  version: '1.0.0',
})
`

const TOOL = `import { tool, z } from 'patchbay'

// Saved, and every connected client has it. The file name is the name of the tool.
export default tool({
  description: 'Greets somebody, as many times as wanted.',
  input: z.object({ name: z.string().min(1), times: z.number().int().min(1).max(10).default(1) }),
  output: z.object({ greetings: z.array(z.string()) }),
  annotations: { readOnlyHint: true },
  run({ name, times }) {
    return { greetings: Array.from({ length: times }, () => \`Hello, \${name}!\`) }
  },
})
`

const RESOURCE = `import { resource } from 'patchbay'

export default resource({
  uri: 'about://server',
  title: 'About this server',
  description: 'What it is, for people and models.',
  mimeType: 'text/markdown',
  read: () => '# NAME\\n\\nA server made with Patchbay.\\n',
})
`

const PROMPT = `import { prompt } from 'patchbay'

export default prompt({
  description: 'Asks a model for a kind word.',
  arguments: [{ name: 'name', description: 'Whom it is for.', required: true }],
  get: ({ name }) => \`Say something kind to \${name}, in one sentence.\`,
})
`

/** How TypeScript looks at a workspace: what scripts import is declared in `.patchbay/types`. */
export const WORKSPACE_TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'ES2024',
      lib: ['ES2024', 'ESNext.Disposable', 'ESNext.Array', 'ESNext.Iterator', 'ESNext.Collection'],
      module: 'ESNext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      allowJs: true,
      typeRoots: ['./.patchbay/types/@types'],
      types: ['node'],
      paths: {
        patchbay: ['./.patchbay/types/patchbay/scripts/authoring/patchbay.d.ts'],
        'patchbay/yaml': ['./.patchbay/types/patchbay/scripts/authoring/yaml.d.ts'],
        [PACKAGE_NAME]: ['./.patchbay/types/patchbay/scripts/authoring/patchbay.d.ts'],
        [`${PACKAGE_NAME}/yaml`]: ['./.patchbay/types/patchbay/scripts/authoring/yaml.d.ts'],
        yaml: ['./.patchbay/types/yaml/index.d.ts'],
        zod: ['./.patchbay/types/zod/index.d.ts'],
        'undici-types': ['./.patchbay/types/undici-types/index.d.ts'],
      },
    },
    include: ['*.ts', 'tools', 'resources', 'prompts', 'lib'],
  },
  undefined,
  2,
)}
`

/** Refers editors to the schema of the file, which is written beside the types of scripts. */
const WORKSPACE_FILE = `${JSON.stringify({ $schema: './.patchbay/types/patchbay.schema.json', version: 1 }, undefined, 2)}
`

const IGNORED = `.patchbay/
node_modules/
patchbay.json.previous
*.tmp
`

const README = `# NAME

A workspace of Patchbay: a server for the Model Context Protocol, one file for each tool, resource and prompt.

- \`tools/\`, \`resources/\`, \`prompts/\`: scripts in TypeScript or JavaScript; \`import … from 'patchbay'\`. They are loaded
  again when they are saved, while clients stay connected.
- \`patchbay.config.ts\`: what applies to all of them. \`patchbay.json\`: data, written by Patchbay.
- \`.patchbay/\`: types and bundles, made by Patchbay whenever they are missing.

\`\`\`sh
patchbay serve . --trust          # over stdio in a pipe, over HTTP on a terminal
patchbay mcp install claude-desktop . --trust
\`\`\`
`

const FILES: Readonly<Record<string, string>> = {
  'patchbay.config.ts': CONFIG,
  'tools/greet.ts': TOOL,
  'resources/about.ts': RESOURCE,
  'prompts/kind_word.ts': PROMPT,
  'tsconfig.json': WORKSPACE_TSCONFIG,
  'patchbay.json': WORKSPACE_FILE,
  '.gitignore': IGNORED,
  'README.md': README,
}

/** What became of each file: paths in the workspace, with \`/\`. */
export type NewWorkspace = { readonly written: readonly string[]; readonly kept: readonly string[] }

/**
 * Makes a workspace of a folder, which is made too if it is not there: configuration, a tool, a resource, a prompt and
 * what goes with them. No file that is there is touched. Rejects with a `StorageError`.
 */
export async function makeWorkspace(folder: string): Promise<NewWorkspace> {
  const name = path.basename(path.resolve(folder)).replaceAll(/[^\w.-]+/g, '-') || 'workspace'
  const written: string[] = []
  const kept: string[] = []
  for (const [file, text] of Object.entries(FILES)) {
    const isNew = await writeNew(path.join(folder, file), text.replaceAll('NAME', name))
    ;(isNew ? written : kept).push(file)
  }
  return { written, kept }
}

/** Returns whether the file was not there. */
export async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await makeFolder(path.dirname(file))
    await writeFile(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    const detail = messageOf(error)
    throw new StorageError('unavailable', `${file} could not be written: ${detail}.`, { cause: error })
  }
}
