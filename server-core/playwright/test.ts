import path from 'node:path'
import { test as base, type Browser, type TestInfo, type TestType } from '@playwright/test'
import { Answers } from './answers/answers.ts'
import { Faults } from './connection/faults.ts'
import { openClient, type ClientParts } from './connection/open-client.ts'
import { mockServer, type MockServer } from './mock/mock-server.ts'
import type { FaultOption, McpOptions, RecordingMode, ServerOption } from './options.ts'
import { beginRecording, endRecording } from './recording.ts'
import { TestedServer } from './server/tested-server.ts'
import type { McpFixtures, McpTest } from './test-type.ts'
import { Timeline } from './timeline/timeline.ts'
import { openWindow } from './window/patchbay-window.ts'

/** Options of `test.use`, which must not replace the fixtures of the same name. */
type InFile = { serverInFile: ServerOption | undefined; faultsInFile: FaultOption | undefined }
const IN_FILE: Readonly<Record<string, keyof InFile>> = { server: 'serverInFile', faults: 'faultsInFile' }

/** Shared parts of a test that nobody uses by name. */
type Parts = { clientParts: ClientParts }

const MOST_REQUEST_MS = 60_000
/** A request fails before its test does, so that the failure shows the frames. */
const SHARE_OF_TIMEOUT = 0.8

const options = base.extend<McpOptions & InFile>({
  server: [undefined, { option: true }],
  serverInFile: [undefined, { option: true }],
  revision: ['auto', { option: true }],
  transport: ['auto', { option: true }],
  identity: [{ name: 'mcp-patchbay-test', version: '1.0.0' }, { option: true }],
  capabilities: [undefined, { option: true }],
  authorization: [undefined, { option: true }],
  faults: [undefined, { option: true }],
  faultsInFile: [undefined, { option: true }],
  recording: [undefined, { option: true }],
})

/** What Playwright gives that the fixtures use. */
type Browsing = { browser: Browser }

/** The options as they are given, and the fixtures that take their names. */
type Given = Omit<McpOptions, 'server' | 'faults'> & InFile & McpFixtures & Parts

const extended = (options as unknown as TestType<Browsing, object>).extend<Given>({
  timeline: async ({ identity }, use) => {
    await use(new Timeline(identity.name))
  },

  answers: async ({ timeline }, use) => {
    const answers = new Answers(timeline)
    await use(answers)
    answers.verify()
  },

  faults: async ({ faults, faultsInFile }, use) => {
    // In an override, the name means what the configuration says.
    const given = faultsInFile ?? (faults as unknown as FaultOption | undefined)
    await use(new Faults(given))
  },

  server: async ({ server, serverInFile, authorization, timeline }, use, info) => {
    const option = serverInFile ?? (server as unknown as ServerOption | undefined)
    const startTimeoutMs = requestTimeout(info)
    const tested = new TestedServer({ server: option, authorization, timeline, startTimeoutMs })
    await use(tested)
    await tested.close()
  },

  clientParts: async (
    {
      server,
      timeline,
      answers,
      faults,
      recording,
      authorization,
      revision,
      transport,
      identity,
      capabilities,
    },
    use,
    info,
  ) => {
    const mode = recording ?? defaultMode(info)
    const recorder = mode === 'off' ? undefined : await beginRecording(info, authorization)
    await use({
      ...{ server, timeline, answers, faults, recorder },
      ...{ revision, transport, identity, capabilities },
      step: (title, body) => base.step(title, body),
      requestTimeoutMs: requestTimeout(info),
    })
    // The connections end here, so that the recording has their ends.
    await server.close()
    const hasFailed = info.status !== info.expectedStatus || answers.problems.length > 0
    if (recorder !== undefined)
      await endRecording(recorder, { isAttached: mode === 'on' || hasFailed, timeline }, info)
    if (hasFailed && server.stderr !== '')
      await info.attach('stderr of the server', { body: server.stderr, contentType: 'text/plain' })
  },

  connect: async ({ clientParts }, use) => {
    await use((own) => openClient(clientParts, own))
  },

  mcp: async ({ connect }, use) => {
    await use(await connect())
  },

  mock: async ({ timeline }, use, info) => {
    const servers: MockServer[] = []
    await use(async (definition) => {
      const server = await mockServer(definition, timeline, path.dirname(info.file))
      servers.push(server)
      return server
    })
    await Promise.all(servers.map((server) => server.close()))
  },

  window: async ({ browser, server }, use) => {
    const window = await openWindow(browser, server)
    await use(window)
    await window.close()
  },
})

/**
 * Playwright's `test` for MCP: a client of the server under test, expected answers, the timeline, mocks, faults and the
 * window, each made when a test uses it and ended after it.
 *
 * @example
 * ```ts
 * import { expect, test } from 'patchbay/test'
 *
 * test.use({ server: { command: 'node', args: ['server.js'] } })
 *
 * test('adds two numbers', async ({ mcp, timeline }) => {
 *   const result = await mcp.callTool('add', { a: 1, b: 2 })
 *   expect(result).toSucceed()
 *   expect(result).toMatchOutputSchema()
 *   expect(timeline).toConform()
 * })
 * ```
 */
export const test: McpTest = withOptionNames(extended as unknown as McpTest)

/**
 * Lets `test.use` set the server and the faults by the names of the fixtures that are made of them. Playwright would
 * replace the fixture by the value.
 */
function withOptionNames(given: McpTest): McpTest {
  const use = given.use.bind(given)
  const extend = given.extend.bind(given)
  return Object.assign(given, {
    use: (fixtures: Readonly<Record<string, unknown>>) => {
      const renamed = Object.entries(fixtures).map(([name, value]) => [IN_FILE[name] ?? name, value] as const)
      use(Object.fromEntries(renamed))
    },
    extend: (fixtures: Parameters<typeof extend>[0]) => withOptionNames(extend(fixtures)),
  })
}

/** Milliseconds that one request of a test may take. */
export function requestTimeout({ timeout }: TestInfo): number {
  return timeout === 0 ? MOST_REQUEST_MS : Math.min(MOST_REQUEST_MS, timeout * SHARE_OF_TIMEOUT)
}

/** Who lets Playwright trace every test gets every recording. */
function defaultMode({ project }: TestInfo): RecordingMode {
  const { trace } = project.use
  const mode = typeof trace === 'object' ? trace.mode : trace
  return mode === 'on' ? 'on' : 'retain-on-failure'
}
