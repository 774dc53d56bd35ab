import { implement, type Router } from '@orpc/server'
import { withCallerErrors } from './caller-errors.ts'
import { inspectFrames } from './composer/inspect-frames.ts'
import { sendComposed } from './composer/send-composed.ts'
import { contract } from './contract/contract.ts'
import { listKindSchema } from './contract/inspect.ts'
import { fetchLanguageServer, offeredLanguageServer } from './editor/fetch-language-server.ts'
import { HostError } from './host-error.ts'
import type { HostParts } from './host-parts.ts'
import { messageOf } from '../protocol/error-message.ts'
import { complete } from './inspect/complete.ts'

/**
 * Every procedure of the contract over the parts of a host. Their errors, those of streams too, reach the caller with
 * code and message; an internal error is logged and reaches it without details.
 */
export function createRouter(parts: HostParts): HostRouter {
  const { servers, calls, events, traffic, embedded, notices, settings, outputChecks } = parts
  const { inbox, responders, responderStore: responderStore, authorizations, editor } = parts
  const os = implement(contract).use(({ next, path, signal }) =>
    withCallerErrors(next, path.join('.'), signal),
  )
  return os.router({
    app: {
      info: os.app.info.handler(() => parts.info()),
      dismissNotice: os.app.dismissNotice.handler(({ input }) => ({ dismissed: notices.dismiss(input.id) })),
      settings: os.app.settings.handler(async () => shown(await settings.read())),
      saveSettings: os.app.saveSettings.handler(async ({ input }) => {
        const { theme, layout } = input
        const change = { ...(theme !== undefined && { theme }), ...(layout !== undefined && { layout }) }
        return shown(await settings.update((current) => ({ ...current, ...change })))
      }),
    },
    embedded: {
      state: os.embedded.state.handler(() => embedded.state()),
      setPort: os.embedded.setPort.handler(({ input }) =>
        servers.whileEmbeddedIsOffline(() => embedded.setPort(input.port)),
      ),
      setTokenRequired: os.embedded.setTokenRequired.handler(({ input }) =>
        servers.whileEmbeddedIsOffline(() => embedded.setTokenRequired(input.required)),
      ),
      revealToken: os.embedded.revealToken.handler(async () => ({ token: await embedded.revealToken() })),
    },
    servers: {
      list: os.servers.list.handler(async () => {
        await servers.refresh()
        return servers.states()
      }),
      add: os.servers.add.handler(({ input }) => servers.add(input.draft, input.origin)),
      update: os.servers.update.handler(({ input }) => servers.update(input.id, input.draft)),
      draft: os.servers.draft.handler(({ input }) => servers.draft(input.id)),
      remove: os.servers.remove.handler(async ({ input }) => {
        const draft = await servers.draft(input.id)
        await servers.remove(input.id)
        await authorizations.discard(input.id, draft.target)
        return { removed: true } as const
      }),
      restore: os.servers.restore.handler(({ input }) => servers.restore(input.id)),
      readPaste: os.servers.readPaste.handler(({ input }) => servers.readPaste(input.text)),
      pin: os.servers.pin.handler(({ input: { id, ...pin } }) => servers.pin(id, pin)),
      declare: os.servers.declare.handler(({ input }) =>
        servers.declare(input.id, input.declaration ?? undefined),
      ),
      approval: os.servers.approval.handler(({ input }) => servers.approval(input.id)),
      approve: os.servers.approve.handler(({ input }) => servers.approve(input.id, input.hash)),
      connect: os.servers.connect.handler(({ input }) => servers.connect(input.id)),
      disconnect: os.servers.disconnect.handler(({ input }) => servers.disconnect(input.id)),
      restart: os.servers.restart.handler(({ input }) => servers.restart(input.id)),
    },
    registry: {
      state: os.registry.state.handler(() => parts.registry.state()),
      amend: os.registry.amend.handler(({ input }) => parts.registry.amend(input.key, input.amendment)),
      setServing: os.registry.setServing.handler(({ input }) => parts.registry.setServing(input.serving)),
      trust: os.registry.trust.handler(({ input }) => parts.registry.trust(input.folder)),
      log: os.registry.log.handler(({ input }) => parts.registry.log(input.file)),
      revisions: os.registry.revisions.handler(({ input }) => parts.registry.revisions(input.file)),
      backTo: os.registry.backTo.handler(({ input }) => parts.registry.backTo(input.file, input.revision)),
      switchOn: os.registry.switchOn.handler(({ input }) => parts.registry.switchOn(input.file)),
      schemaDiff: os.registry.schemaDiff.handler(({ input }) =>
        parts.registry.schemaDiff(input.key, input.from, input.to),
      ),
      addSource: os.registry.addSource.handler(({ input }) => parts.registry.addSource(input.source)),
      removeSource: os.registry.removeSource.handler(({ input }) =>
        parts.registry.removeSource(input.source),
      ),
      openWorkspace: os.registry.openWorkspace.handler(({ input }) =>
        parts.registry.openWorkspace(input.folder),
      ),
    },
    install: {
      clients: os.install.clients.handler(() => parts.install.clients()),
      install: os.install.install.handler(({ input }) => parts.install.install(input)),
      uninstall: os.install.uninstall.handler(({ input }) =>
        parts.install.uninstall(input.client, input.name),
      ),
      undo: os.install.undo.handler(({ input }) => parts.install.undo(input.client)),
      test: os.install.test.handler(({ input, signal }) =>
        parts.install.test(input.client, input.name, signal),
      ),
      importable: os.install.importable.handler(() => parts.install.importable()),
      import: os.install.import.handler(({ input }) => parts.install.import(input.client, input.names)),
    },
    faults: {
      state: os.faults.state.handler(() => parts.faults.state()),
      save: os.faults.save.handler(({ input }) => parts.faults.save(input.settings)),
    },
    mocks: {
      state: os.mocks.state.handler(() => parts.mocks.state()),
      save: os.mocks.save.handler(({ input }) => parts.mocks.save(input.entry, input.replaces)),
      remove: os.mocks.remove.handler(({ input }) => parts.mocks.remove(input.key)),
      seed: os.mocks.seed.handler(({ input }) => parts.mocks.seed(input.key)),
      saveOverride: os.mocks.saveOverride.handler(({ input }) => parts.mocks.saveOverride(input.override)),
      removeOverride: os.mocks.removeOverride.handler(({ input }) => parts.mocks.removeOverride(input.key)),
      preview: os.mocks.preview.handler(({ input, signal }) =>
        parts.mocks.preview(input.answer, input.call, signal ?? new AbortController().signal),
      ),
    },
    inspect: {
      lists: os.inspect.lists.handler(async ({ input, signal }) => {
        const kinds = input.kinds ?? listKindSchema.options
        const { isPaged, serverId } = input
        const connection = servers.connection(serverId)
        const lists = await servers
          .live(serverId)
          .inspection.lists.read(connection, { kinds, isPaged, signal })
        const tools = lists.tools.map(({ value }) => value)
        if (kinds.includes('tools')) outputChecks.note(serverId, tools)
        if (kinds.length === listKindSchema.options.length && isPaged !== true) {
          parts.definitions.seen(serverId, lists).catch((error: unknown) => {
            const title = 'The definitions of a server could not be approved'
            parts.notices.addOnce({ tone: 'warning', title, detail: messageOf(error) })
          })
        }
        return lists
      }),
      refreshLists: os.inspect.refreshLists.handler(({ input: { serverId } }) => {
        servers.live(serverId).refreshLists()
        return { refreshed: true } as const
      }),
      nextPage: os.inspect.nextPage.handler(async ({ input: { serverId, readingId } }) => {
        const { lists } = servers.live(serverId).inspection
        const page = await lists.next(servers.connection(serverId), readingId)
        const tools = page.entries.map(({ value }) => value)
        if (page.list === 'tools') outputChecks.note(serverId, tools, !page.isRestarted)
        return page
      }),
      request: os.inspect.request.handler(({ input }) => calls.request(servers.live(input.serverId), input)),
      calls: os.inspect.calls.handler(({ input }) => calls.of(input.tab)),
      outcome: os.inspect.outcome.handler(({ input }) => calls.outcome(input.callId)),
      cancel: os.inspect.cancel.handler(({ input }) => ({ cancelled: calls.cancel(input.callId) })),
    },
    inspection: {
      setLogLevel: os.inspection.setLogLevel.handler(async ({ input }) => {
        await servers.live(input.serverId).inspection.logLevel.choose(input.level)
        return { level: input.level }
      }),
      subscribe: os.inspection.subscribe.handler(({ input }) =>
        servers.live(input.serverId).inspection.subscriptions.subscribe(input.uri),
      ),
      unsubscribe: os.inspection.unsubscribe.handler(async ({ input }) => {
        const refusal = await servers.live(input.serverId).inspection.subscriptions.unsubscribe(input.uri)
        if (refusal === undefined) return { unsubscribed: true } as const
        throw new HostError('REFUSED', `The server did not end the subscription to ${input.uri}: ${refusal}`)
      }),
      complete: os.inspection.complete.handler(({ input, signal }) =>
        complete(servers.connection(input.serverId), input, signal),
      ),
    },
    authorization: {
      state: os.authorization.state.handler(({ input }) => authorizations.state(input.serverId)),
      steps: os.authorization.steps.handler(({ input }) => authorizations.steps(input.serverId)),
      start: os.authorization.start.handler(({ input }) =>
        authorizations.start(input.serverId, input.paused),
      ),
      pause: os.authorization.pause.handler(({ input }) =>
        authorizations.pause(input.serverId, input.paused),
      ),
      continue: os.authorization.continue.handler(({ input }) =>
        authorizations.continue(input.serverId, input.stepId, input.request),
      ),
      repeat: os.authorization.repeat.handler(({ input }) =>
        authorizations.repeat(input.serverId, input.stepId),
      ),
      stop: os.authorization.stop.handler(({ input }) => authorizations.stop(input.serverId)),
      openAgain: os.authorization.openAgain.handler(({ input }) => authorizations.openAgain(input.serverId)),
      pasteCallback: os.authorization.pasteCallback.handler(({ input }) =>
        authorizations.pasteCallback(input.serverId, input.url),
      ),
      forget: os.authorization.forget.handler(({ input }) => authorizations.forget(input.serverId)),
      settings: os.authorization.settings.handler(({ input }) => authorizations.settings(input.serverId)),
      saveSettings: os.authorization.saveSettings.handler(({ input }) =>
        authorizations.saveSettings(input.serverId, input.settings),
      ),
    },
    inbox: {
      list: os.inbox.list.handler(() => inbox.list()),
      question: os.inbox.question.handler(({ input }) => inbox.question(input.id)),
      check: os.inbox.check.handler(({ input }) => ({ findings: inbox.check(input.id, input.resultText) })),
      answer: os.inbox.answer.handler(({ input }) => inbox.answer(input.id, input.answer, input.unchecked)),
      decline: os.inbox.decline.handler(({ input }) => inbox.decline(input.id, 'decline')),
      cancel: os.inbox.cancel.handler(({ input }) => inbox.decline(input.id, 'cancel')),
      propose: os.inbox.propose.handler(({ input, signal }) =>
        responders.propose(input.id, input.rule, signal),
      ),
      openUrl: os.inbox.openUrl.handler(({ input }) => inbox.openUrl(input.id, input.accept ?? true)),
      clear: os.inbox.clear.handler(() => {
        inbox.clear()
        return { cleared: true } as const
      }),
    },
    responders: {
      settings: os.responders.settings.handler(({ input }) => responders.settings(input.serverId)),
      save: os.responders.save.handler(({ input }) => responders.save(input.serverId, input.settings)),
      usage: os.responders.usage.handler(({ input }) => responders.usage(input.serverId)),
      endpoints: os.responders.endpoints.handler(() => responderStore.endpoints()),
      saveEndpoint: os.responders.saveEndpoint.handler(({ input }) =>
        responderStore.saveEndpoint(input.endpoint, input.key),
      ),
      removeEndpoint: os.responders.removeEndpoint.handler(async ({ input }) => {
        await responderStore.removeEndpoint(input.id)
        return { removed: true } as const
      }),
      testEndpoint: os.responders.testEndpoint.handler(({ input, signal }) =>
        responders.testEndpoint(input.id, input.model, signal),
      ),
      models: os.responders.models.handler(({ input, signal }) => responders.models(input.id, signal)),
      script: os.responders.script.handler(({ input }) => responders.script(input.file)),
      approveScript: os.responders.approveScript.handler(({ input }) =>
        responders.approveScript(input.file, input.hash),
      ),
    },
    editor: {
      files: os.editor.files.handler(() => editor.files.list()),
      read: os.editor.read.handler(({ input }) => editor.files.read(input.file)),
      save: os.editor.save.handler(({ input }) => editor.files.save(input.file, input.text, input.version)),
      create: os.editor.create.handler(async ({ input }) => ({
        file: await editor.files.create(input.template, input.name),
      })),
      rename: os.editor.rename.handler(async ({ input }) => ({
        file: await editor.files.rename(input.file, input.to),
      })),
      remove: os.editor.remove.handler(async ({ input }) => ({
        removal: await editor.files.remove(input.file),
      })),
      restore: os.editor.restore.handler(async ({ input }) => ({
        file: await editor.files.restore(input.removal),
      })),
      watch: os.editor.watch.handler(({ signal }) => editor.watch(signal)),
      drafts: os.editor.drafts.handler(() => editor.drafts.list()),
      keepDraft: os.editor.keepDraft.handler(async ({ input }) => {
        const { folder, ...draft } = input
        await editor.draftsOf(folder).keep(draft)
        return { kept: true } as const
      }),
      dropDraft: os.editor.dropDraft.handler(async ({ input }) => {
        await editor.draftsOf(input.folder).drop(input.file)
        return { dropped: true } as const
      }),
      languageServer: {
        download: os.editor.languageServer.download.handler(() => offeredLanguageServer()),
        fetch: os.editor.languageServer.fetch.handler(async ({ signal }) => {
          await fetchLanguageServer(signal)
          return { fetched: true } as const
        }),
        attach: os.editor.languageServer.attach.handler(({ input, signal }) =>
          editor.languageServer(input.restart === true, signal),
        ),
        send: os.editor.languageServer.send.handler(({ input }) => ({
          taken: editor.sendToLanguageServer(input.session, input.messages),
        })),
      },
    },
    tasks: {
      list: os.tasks.list.handler(async ({ input }) => ({
        found: await servers.live(input.serverId).inspection.tasks.ask(),
      })),
      refresh: os.tasks.refresh.handler(({ input }) =>
        servers.live(input.serverId).inspection.tasks.refresh(input.taskId),
      ),
      cancel: os.tasks.cancel.handler(({ input }) =>
        servers.live(input.serverId).inspection.tasks.cancel(input.taskId),
      ),
      outcome: os.tasks.outcome.handler(({ input, signal }) =>
        servers.live(input.serverId).inspection.tasks.outcome(input.taskId, signal),
      ),
      forget: os.tasks.forget.handler(({ input }) => ({
        forgotten: servers.live(input.serverId).inspection.tasks.forget(input.taskId),
      })),
    },
    composer: {
      send: os.composer.send.handler(({ input }) =>
        sendComposed(servers.connection(input.serverId), traffic, input.body, input.how),
      ),
      look: os.composer.look.handler(({ input }) => inspectFrames(traffic, input.revision, input.frames)),
    },
    traffic: {
      frames: os.traffic.frames.handler(({ input }) =>
        traffic.frames(input.seqs, input.whole === undefined ? {} : { whole: input.whole }),
      ),
      clear: os.traffic.clear.handler(() => {
        traffic.clear()
        return { cleared: true } as const
      }),
    },
    recordings: {
      list: os.recordings.list.handler(() => parts.recordings.list()),
      settings: os.recordings.settings.handler(() => parts.recordings.settings()),
      saveSettings: os.recordings.saveSettings.handler(({ input }) => parts.recordings.saveSettings(input)),
      open: os.recordings.open.handler(({ input }) => parts.recordings.open(input.id)),
      rows: os.recordings.rows.handler(({ input }) => parts.recordings.rows(input)),
      frames: os.recordings.frames.handler(({ input }) => parts.recordings.frames(input)),
      facts: os.recordings.facts.handler(() => parts.recordings.facts()),
      rename: os.recordings.rename.handler(({ input }) => parts.recordings.rename(input.id, input.name)),
      comment: os.recordings.comment.handler(({ input }) => parts.recordings.comment(input)),
      export: os.recordings.export.handler(({ input }) => parts.recordings.export(input.id, input.format)),
      previewRedaction: os.recordings.previewRedaction.handler(({ input }) =>
        parts.recordings.previewRedaction(input.id, input.redact),
      ),
      importPart: os.recordings.importPart.handler(({ input }) => parts.recordings.imports.add(input)),
      importEnd: os.recordings.importEnd.handler(({ input }) => parts.recordings.imports.end(input)),
      compareExchanges: os.recordings.compareExchanges.handler(({ input }) =>
        parts.recordings.compareExchanges(input, traffic),
      ),
      testOf: os.recordings.testOf.handler(({ input }) => parts.recordings.testOf(input, traffic)),
      saveTest: os.recordings.saveTest.handler(({ input }) =>
        parts.recordings.saveTest(input.name, input.text),
      ),
      compareRecordings: os.recordings.compareRecordings.handler(({ input }) =>
        parts.recordings.compareRecordings(input),
      ),
      keep: os.recordings.keep.handler(({ input }) => parts.recordings.keep(input.id, input.name)),
      delete: os.recordings.delete.handler(({ input }) => parts.recordings.delete(input.id)),
    },
    taps: {
      state: os.taps.state.handler(() => parts.taps.state()),
      saveRules: os.taps.saveRules.handler(({ input }) => parts.taps.saveRules(input.id, input.rules)),
      settle: os.taps.settle.handler(({ input }) => {
        parts.taps.settle(input.id, input.message, input.outcome, input.text)
        return { settled: true } as const
      }),
      swap: os.taps.swap.handler(({ input }) =>
        parts.taps.swap(input.id, input.commandLine, input.openRequests),
      ),
      release: os.taps.release.handler(({ input }) => {
        parts.taps.release(input.id)
        return { released: true } as const
      }),
      entries: os.taps.entries.handler(() => parts.taps.entries()),
      wrap: os.taps.wrap.handler(({ input }) => parts.taps.wrap(input.client, input.name)),
      unwrap: os.taps.unwrap.handler(({ input }) => parts.taps.unwrap(input.client, input.name)),
    },
    conformance: {
      runs: os.conformance.runs.handler(({ input }) => parts.conformance.runs(input.serverId)),
      run: os.conformance.run.handler(({ input }) => parts.conformance.run(input.serverId, input.number)),
      checks: os.conformance.checks.handler(({ input }) => parts.conformance.checks(input)),
      check: os.conformance.check.handler(({ input }) => parts.conformance.check(input)),
      savePermission: os.conformance.savePermission.handler(async ({ input }) => {
        await parts.conformance.savePermission(input.serverId, input.permission)
        return { saved: true } as const
      }),
      start: os.conformance.start.handler(({ input }) => parts.conformance.start(input)),
      cancel: os.conformance.cancel.handler(() => ({ cancelled: parts.conformance.cancel() })),
      startExam: os.conformance.startExam.handler(({ input }) => parts.conformance.startExam(input)),
      stopExam: os.conformance.stopExam.handler(async () => ({
        stopped: await parts.conformance.stopExam(),
      })),
      examCheck: os.conformance.examCheck.handler(({ input }) => parts.conformance.examCheck(input.id)),
      expectFailure: os.conformance.expectFailure.handler(({ input }) =>
        parts.conformance.expectFailure(input),
      ),
      report: os.conformance.report.handler(({ input }) =>
        parts.conformance.report(input.serverId, input.number, input.format),
      ),
    },
    definitions: {
      state: os.definitions.state.handler(({ input }) => parts.definitions.state(input.serverId)),
      accept: os.definitions.accept.handler(({ input }) => parts.definitions.accept(input.serverId)),
    },
    windowState: {
      load: os.windowState.load.handler(() => parts.windowState.load()),
      save: os.windowState.save.handler(async ({ input }) => {
        await parts.windowState.save(input)
        return { saved: true } as const
      }),
      setAside: os.windowState.setAside.handler(async () => ({ keptAs: await parts.windowState.setAside() })),
    },
    events: {
      watch: os.events.watch.handler(({ input, signal }) => events.watch(input.stream, signal)),
      acknowledge: os.events.acknowledge.handler(({ input }) => ({
        acknowledged: events.acknowledge(input.stream, input.seq),
      })),
    },
  })
}

/** Every procedure of the contract, none of which needs anything from its carrier. */
export type HostRouter = Router<typeof contract, Record<string, never>>

/** Settings that are the page's; the port and the token switch have procedures of their own. */
function shown({ theme, layout }: { theme: 'system' | 'light' | 'dark'; layout: Record<string, number[]> }) {
  return { theme, layout }
}
