import { mayCall } from '../../conformance/probe/permission.ts'
import { fuzzInput, fuzzTool, inputSchemaOf, type FuzzedTool } from '../../fuzz/fuzz-tool.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { shellLine } from '../../conformance/report/repeat-command.ts'
import { targetWords } from '../check/server-target.ts'
import { openServerSession } from '../connection/server-session.ts'
import { suggest } from '../flags/suggest.ts'
import { ExitCode, UsageError } from '../output/exit-code.ts'
import { isForPerson, masking, writeJson, writeStyled } from '../output/output.ts'
import { CommandConnections } from './connection-source.ts'
import type { FuzzCommand } from './fuzz-flags.ts'
import { describeFuzz, type FuzzReport } from './fuzz-report.ts'

/** `patchbay fuzz`: calls the permitted tools with values made from their input schemas. */
export async function fuzz(command: FuzzCommand, signal: AbortSignal): Promise<ExitCode> {
  const target = await targetOf(command, signal)
  const connections = new CommandConnections(command, signal)
  try {
    const { items } = await (await connections.connection()).listTools({ signal })
    const tools = permitted(command, items)
    const deadline = performance.now() + command.durationMs
    const { seed, runs, answerMs: timeoutMs } = command
    const options = { seed, runs, timeoutMs, deadline, signal }
    const fuzzed: FuzzedTool[] = []
    for (const { name, inputSchema } of tools) {
      const tool = { name: String(name), inputSchema: inputSchemaOf({ inputSchema }) }
      fuzzed.push(
        command.input === undefined
          ? await fuzzTool(connections, tool, options)
          : await fuzzInput(connections, tool, command.input, options),
      )
    }
    const called = new Set(tools.map(({ name }) => name))
    const notCalled = items.map(({ name }) => String(name)).filter((name) => !called.has(name))
    const report = reportOf(command, fuzzed, notCalled, target)
    if (isForPerson(command.json)) await writeStyled(({ paint }) => describeFuzz(report, paint))
    else await writeJson(report)
    return report.passed ? ExitCode.ok : ExitCode.regression
  } finally {
    await connections.drop()
  }
}

function reportOf(
  { seed, runs, call, callReadOnly }: FuzzCommand,
  fuzzed: readonly FuzzedTool[],
  notCalled: readonly string[],
  target: readonly string[],
): FuzzReport {
  const line = (words: readonly string[]) =>
    masking.text(shellLine(['patchbay', 'fuzz', ...words, ...target]))
  const permission = [
    ...call.flatMap((name) => ['--call', name]),
    ...(callReadOnly ? ['--call-read-only'] : []),
  ]
  return {
    passed: fuzzed.every(({ findings }) => findings.length === 0),
    seed,
    runs,
    calls: fuzzed.reduce((sum, { valid, invalid }) => sum + valid + invalid, 0),
    tools: fuzzed.map((tool) => ({
      ...tool,
      findings: tool.findings.map((finding) => ({
        ...finding,
        actual: masking.text(finding.actual),
        command: line(['--call', tool.name, '--input', JSON.stringify(finding.input)]),
      })),
    })),
    notCalled,
    command: line([...permission, '--seed', String(seed), '--runs', String(runs)]),
  }
}

/** The tools that may be called. Throws a `UsageError` for a name that the server does not list, or if there are none. */
function permitted({ call, callReadOnly }: FuzzCommand, tools: readonly JsonObject[]): readonly JsonObject[] {
  const names = tools.map(({ name }) => String(name))
  const unknown = call.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const near = suggest(unknown, names)
    const remedy = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it lists ${names.join(', ')}`
    throw new UsageError(`the server lists no tool "${unknown}"; ${remedy}`)
  }
  const chosen = tools.filter((tool) => mayCall({ names: call, readOnly: callReadOnly }, tool))
  if (chosen.length > 0) return chosen
  throw new UsageError('no tool has readOnlyHint, so none may be called; --call TOOL permits one')
}

async function targetOf(command: FuzzCommand, signal: AbortSignal): Promise<readonly string[]> {
  const session = await openServerSession(command, signal)
  await session.close()
  return targetWords(session.direct)
}
