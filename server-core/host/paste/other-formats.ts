import { ConfigSyntaxError } from '../../install/formats/config-format.ts'
import type { Paste } from '../contract/servers.ts'
import { readClientValue } from './client-config.ts'

/** The header of a table as Codex has it. */
const TOML = /^[ \t]*\[[ \t]*mcp_servers[ \t]*[.\]]/m
/** The maps of servers in block style. */
const YAML = /^(?:mcp|mcpServers|mcp_servers|servers):[ \t]*(?:#.*)?$/m

/**
 * Reads a pasted configuration in TOML (Codex) or YAML (OpenClaw); undefined if it is neither. The parsers are loaded when
 * there is something for them.
 */
export async function readOtherFormats(text: string): Promise<Paste | undefined> {
  const plain = text.replace(/^\uFEFF/, '')
  const format = TOML.test(plain) ? 'TOML' : YAML.test(plain) && !/^\s*[[{"]/.test(plain) ? 'YAML' : undefined
  if (format === undefined) return undefined
  const { read } =
    format === 'TOML'
      ? (await import('../../install/formats/toml-format.ts')).tomlFormat
      : (await import('../../install/formats/yaml-format.ts')).yamlFormat
  try {
    return readClientValue(read(plain))
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error
    const reason = `Line ${error.line}: ${error.message}`
    return { drafts: [], problems: [{ name: 'pasted text', reason }] }
  }
}
