import fc from 'fast-check'
import { expect, it } from 'vitest'
import { revisionsOf, SUPPORTED } from '../protocol/revisions.ts'
import { connect } from './connect.ts'
import { ConnectError } from './errors.ts'
import { DISCOVERED, INITIALIZED, scriptedServer } from './scripted-server.test-support.ts'

const identity = { name: 'negotiating', version: '1' }
const version = fc.oneof(
  fc.constantFrom<string>(...SUPPORTED),
  fc.constantFrom('2030-01-01', '1999-12-31', ''),
)
const MODERN = revisionsOf('modern')
const LEGACY = revisionsOf('legacy')

it('agrees on the newest modern revision of both, else shakes hands, else says what each side speaks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(version, { maxLength: 5 }),
      fc.boolean(),
      fc.option(version, { nil: undefined }),
      async (supported, refuses, answered) => {
        const server = scriptedServer((heard, side) => {
          if (heard.method === 'server/discover') {
            const data = { supported, requested: '2026-07-28' }
            if (refuses) side.error(heard, -32022, 'Unsupported protocol version', data)
            else side.result(heard, { ...DISCOVERED, supportedVersions: supported })
          } else if (heard.method === 'initialize') {
            if (answered === undefined) side.error(heard, -32601, 'no handshake here')
            else side.result(heard, { ...INITIALIZED, protocolVersion: answered })
          }
        })
        const offered = () => server.heard.filter(({ method }) => method === 'initialize')
        const modern = MODERN.findLast((revision) => supported.includes(revision))
        const mayShake = supported.some((each) => LEGACY.some((revision) => revision === each))
        const legacy = LEGACY.find((revision) => revision === answered)
        const outcome = await connect({ open: server.open, identity, requestTimeoutMs: 2_000 }).catch(
          (error: unknown) => error,
        )
        // A legacy client offers its newest, never a modern version.
        for (const { params } of offered()) expect(LEGACY).toContain(params['protocolVersion'])
        expect(offered().length).toBeLessThanOrEqual(1)
        if (modern !== undefined && !refuses) {
          expect(outcome).toMatchObject({ revision: modern })
          expect(offered()).toEqual([])
        } else if (modern === undefined && mayShake && legacy !== undefined) {
          expect(outcome).toMatchObject({ revision: legacy })
        } else {
          expect(outcome).toBeInstanceOf(ConnectError)
          expect((outcome as ConnectError).steps.length).toBeGreaterThan(0)
        }
        if (!(outcome instanceof ConnectError)) await (outcome as { close(): Promise<void> }).close()
        else await outcome.ended
        expect(server.closed).toHaveLength(server.connections())
      },
    ),
    { numRuns: 200 },
  )
})
