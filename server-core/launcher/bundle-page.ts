import path from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Bundles the window's page, as its own `vite.config.ts` says, into a folder. Gives the absolute paths of the
 * sources that went in, without packages. Throws vite's own error, which names file and line.
 */
export async function bundlePage(root: string, pageFolder: string, into: string): Promise<string[]> {
  const sources = new Set([path.join(root, pageFolder, 'vite.config.ts')])
  const collectSources: Plugin = {
    name: 'collect-sources',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const file = id.split('?')[0] ?? id
        if (path.isAbsolute(file) && !file.includes('node_modules')) sources.add(file)
      }
    },
  }
  await build({
    configFile: path.join(root, pageFolder, 'vite.config.ts'),
    logLevel: 'silent',
    plugins: [collectSources],
    build: { outDir: into, reportCompressedSize: false },
  })
  return [...sources]
}
