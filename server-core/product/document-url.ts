import packageFile from '../../package.json' with { type: 'json' }
import { PACKAGE_NAME } from './package-name.ts'

/**
 * The address of a document of this version, such as `checks/README.md`. The package contains the documents that reports
 * link to, so they are on the network of every registry's mirror and, without a network, in `node_modules`.
 */
export function documentUrl(file: string): string {
  return `https://unpkg.com/${PACKAGE_NAME}@${packageFile.version}/docs/${file}`
}
