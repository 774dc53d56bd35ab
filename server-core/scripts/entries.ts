import { createRequire } from 'node:module'
import path from 'node:path'

/** Absolute paths of our own modules that run scripts, and that scripts import. */
export type ScriptEntries = {
  /** What the process that runs scripts is started with. */
  readonly process: string
  readonly worker: string
  /** What `import … from 'patchbay'` gives. */
  readonly authoring: string
  /** What `import … from 'patchbay/yaml'` gives. */
  readonly yaml: string
  /** What `import … from 'zod'` gives, where the workspace has none of its own. */
  readonly zod: string
}

/** The modules in the folder of the tool host: the built ones, or the sources, which Node runs as they are. */
export function scriptEntriesIn(folder: string): ScriptEntries {
  const built = {
    process: path.join(folder, 'process', 'tool-process.js'),
    worker: path.join(folder, 'worker', 'script-worker.js'),
    authoring: path.join(folder, 'authoring', 'patchbay.js'),
    yaml: path.join(folder, 'authoring', 'yaml.js'),
    zod: path.join(folder, 'authoring', 'zod.js'),
  }
  if (path.resolve(folder) !== import.meta.dirname) return built
  const source = (file: string) => file.replace(/\.js$/, '.ts')
  return {
    process: source(built.process),
    worker: source(built.worker),
    authoring: source(built.authoring),
    yaml: source(built.yaml),
    zod: createRequire(import.meta.url)
      .resolve('zod')
      .replace(/\.cjs$/, '.js'),
  }
}
