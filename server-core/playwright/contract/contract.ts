import { parseLock, type ContractLock } from '../../contract-lock/lock-schema.ts'
import { writeLock } from '../../contract-lock/write-lock.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { McpClient } from '../connection/mcp-client.ts'
import { TestSetupError } from '../test-error.ts'

/** Reads what a server offers. */
export async function readContract(client: McpClient): Promise<ContractLock> {
  const { capabilities } = client
  const has = (name: string): boolean => isJsonObject(capabilities[name])
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    has('tools') ? client.listTools() : [],
    has('resources') ? client.listResources() : [],
    has('resources') ? client.listResourceTemplates() : [],
    has('prompts') ? client.listPrompts() : [],
  ])
  return writeLock({ tools, resources, resourceTemplates, prompts })
}

/** Reads the text of a contract's file. Throws a `TestSetupError`. */
export function parseContract(text: string, file: string): ContractLock {
  const parsed = parseLock(text)
  if (parsed.ok) return parsed.value
  throw new TestSetupError('option', `${file}: ${parsed.reason}`)
}
