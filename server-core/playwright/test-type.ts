import type {
  Fixtures,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestDetails,
  TestInfo,
  TestType,
} from '@playwright/test'
import type { Answers } from './answers/answers.ts'
import type { Faults } from './connection/faults.ts'
import type { McpClient } from './connection/mcp-client.ts'
import type { ConnectOptions } from './connection/open-client.ts'
import type { MockDefinition, MockServer } from './mock/mock-server.ts'
import type { McpOptions } from './options.ts'
import type { TestedServer } from './server/tested-server.ts'
import type { Timeline } from './timeline/timeline.ts'
import type { PatchbayWindow } from './window/patchbay-window.ts'

/** What a test gets. */
export type McpFixtures = {
  /** A client of the server under test, connected. */
  mcp: McpClient
  /** Connects a further client, with options of its own. It is closed after the test. */
  connect: (options?: ConnectOptions) => Promise<McpClient>
  /** The server under test: process, stderr, restart, kill. */
  server: TestedServer
  /** Expected questions of the server, and their answers. */
  answers: Answers
  /** Everything that was sent and received. */
  timeline: Timeline
  /** Starts a server made of handlers, for clients and for servers that call others. It ends with the test. */
  mock: (definition: MockDefinition) => Promise<MockServer>
  /** Faults in what the server sends. */
  faults: Faults
  /** Patchbay's own window with the server under test, in a browser. Only tests that use it need one. */
  window: PatchbayWindow
}

/** Options that are fixtures too: in `test.use` they are given as options, in a test they are used as fixtures. */
type Both = 'server' | 'faults'

/** All that a test may use, Playwright's own fixtures included. */
export type McpTestArgs = Omit<McpOptions, Both> & McpFixtures & PlaywrightTestArgs & PlaywrightTestOptions
type WorkerArgs = PlaywrightWorkerArgs & PlaywrightWorkerOptions

/** What `test.use` takes. */
export type McpUse<TestArgs extends object, Worker extends object> = Fixtures<
  object,
  object,
  Omit<TestArgs, Both> & Pick<McpOptions, Both>,
  Worker
>

/** Playwright's `test` with the fixtures of MCP. */
export type McpTest<TestArgs extends object = McpTestArgs, Worker extends object = WorkerArgs> = {
  (title: string, body: (args: TestArgs & Worker, info: TestInfo) => Promise<void> | void): void
  (
    title: string,
    details: TestDetails,
    body: (args: TestArgs & Worker, info: TestInfo) => Promise<void> | void,
  ): void
  /** Sets options for the tests of this file or group: the server, the revision, the transport and others. */
  use(options: McpUse<TestArgs, Worker>): void
  /** Adds fixtures of your own. */
  extend<T extends object, W extends object = object>(
    fixtures: Fixtures<T, W, TestArgs, Worker>,
  ): McpTest<TestArgs & T, Worker & W>
} & Omit<TestType<TestArgs, Worker>, 'use' | 'extend'>
