import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { ToolChoice } from '../bridge/member-names.ts'
import { isJsonObject } from '../protocol/json.ts'
import { UsageError } from './exit-code.ts'
import { faultWords } from './fault-words.ts'

/** A server of the file: a stored one, and which of its tools are shown. */
export type FileServer = { readonly alias: string; readonly name: string; readonly tools: ToolChoice }

/** What the member `proxy` of a `patchbay.json` says. */
export type ProxyFile = { readonly servers: readonly FileServer[]; readonly pageItems?: number }

const names = z.array(z.string().min(1))

const proxySchema = z.strictObject({
  servers: z
    .record(
      z.string(),
      z.strictObject({
        server: z.string().min(1).optional(),
        include: names.optional(),
        exclude: names.optional(),
        rename: z.record(z.string(), z.string().min(1)).optional(),
      }),
    )
    .default({}),
  pageItems: z.int().min(1).max(100_000).optional(),
})

/**
 * Reads the member `proxy` of the `patchbay.json` in a folder, which `serve` has read already. It names stored servers
 * alone: those were approved, and nothing is started because a file says so. Throws a `UsageError`.
 */
export function readProxyFile(folder: string): ProxyFile {
  const file = path.join(folder, 'patchbay.json')
  if (!existsSync(file)) return { servers: [] }
  const document: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
  const member = isJsonObject(document) ? document['proxy'] : undefined
  if (member === undefined) return { servers: [] }
  const read = proxySchema.safeParse(member, { error: faultWords })
  if (!read.success) {
    const faults = read.error.issues.map(
      ({ path: at, message }) => `  ${['proxy', ...at].join('.')}: ${message}`,
    )
    throw new UsageError(`${file} does not say what to serve on:\n${faults.join('\n')}`)
  }
  const { servers, pageItems } = read.data
  return {
    servers: Object.entries(servers).map(([alias, { server = alias, include, exclude, rename }]) => ({
      alias,
      name: server,
      tools: {
        ...(include !== undefined && { include }),
        ...(exclude !== undefined && { exclude }),
        ...(rename !== undefined && { rename }),
      },
    })),
    ...(pageItems !== undefined && { pageItems }),
  }
}
