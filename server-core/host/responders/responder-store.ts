import { z } from 'zod'
import { modelEndpointSchema, type ModelEndpoint } from '../../responders/models/endpoint.ts'
import type { OpenEndpoint } from '../../responders/models/ask-model.ts'
import {
  compareApproval,
  type ApprovedScript,
  type ScriptApproval,
} from '../../responders/scripts/approval-hash.ts'
import {
  effectiveSettings,
  responderSettingsSchema,
  type EffectiveSettings,
  type ResponderSettings,
} from '../../responders/settings.ts'
import { DocumentFile, type OnSetAside } from '../../workspace/document-file.ts'
import type { SecretStore } from '../../profile/secret-store.ts'
import type { EndpointView, ResponderView } from '../contract/responders.ts'
import { HostError } from '../host-error.ts'

const EMPTY: ResponderSettings = { rules: {}, limits: {} }

/** In the profile, so that no workspace and no import brings rules, endpoints or approvals with it. */
const responderDocumentSchema = z.looseObject({
  defaults: responderSettingsSchema.default(EMPTY),
  /** By the key of the server: its entry and the workspace that has it. */
  servers: z.record(z.string(), responderSettingsSchema).default({}),
  endpoints: z.array(modelEndpointSchema).default([]),
  /** What was approved of each script, by its absolute path; without `files` the approval covers no imports. */
  scripts: z
    .record(
      z.string(),
      z.object({ hash: z.string(), at: z.number(), files: z.record(z.string(), z.string()).optional() }),
    )
    .default({}),
})
type ResponderDocument = z.infer<typeof responderDocumentSchema>

export type ResponderStoreOptions = {
  readonly file: string
  readonly secretStore: SecretStore
  readonly onSetAside: OnSetAside
}

/** What is set about answering servers: rules and limits, model endpoints with their keys, approved scripts. */
export class ResponderStore {
  readonly #document: DocumentFile<ResponderDocument>
  readonly #secretStore: SecretStore

  constructor({ file, secretStore, onSetAside }: ResponderStoreOptions) {
    this.#secretStore = secretStore
    this.#document = new DocumentFile({
      file,
      version: 1,
      schema: responderDocumentSchema,
      empty: () => responderDocumentSchema.parse({}),
      onSetAside,
    })
  }

  /** @param serverKey the server, or undefined for what holds for all */
  async view(serverKey: string | undefined): Promise<ResponderView> {
    const { defaults, servers } = await this.#document.read()
    const own = serverKey === undefined ? defaults : (ownOf(servers, serverKey) ?? EMPTY)
    const effective = effectiveSettings(serverKey === undefined ? undefined : own, defaults)
    return { own, effective: { rules: { ...effective.rules }, limits: effective.limits } }
  }

  async effective(serverKey: string): Promise<EffectiveSettings> {
    const { defaults, servers } = await this.#document.read()
    return effectiveSettings(ownOf(servers, serverKey), defaults)
  }

  async save(serverKey: string | undefined, settings: ResponderSettings): Promise<ResponderView> {
    await this.#document.update((current) =>
      serverKey === undefined
        ? { ...current, defaults: settings }
        : { ...current, servers: { ...current.servers, [serverKey]: settings } },
    )
    return this.view(serverKey)
  }

  async endpoints(): Promise<EndpointView[]> {
    const { endpoints } = await this.#document.read()
    return Promise.all(endpoints.map((endpoint) => this.#shown(endpoint)))
  }

  /** @param key a new key; null takes the stored one away, undefined leaves it */
  async saveEndpoint(endpoint: ModelEndpoint, key: string | null | undefined): Promise<EndpointView> {
    if (key === null) await this.#secretStore.delete(keyOf(endpoint.id))
    if (typeof key === 'string') await this.#secretStore.set(keyOf(endpoint.id), key)
    await this.#document.update((current) => {
      const at = current.endpoints.findIndex(({ id }) => id === endpoint.id)
      const endpoints = at < 0 ? [...current.endpoints, endpoint] : current.endpoints.with(at, endpoint)
      return { ...current, endpoints }
    })
    return this.#shown(endpoint)
  }

  async removeEndpoint(id: string): Promise<void> {
    await this.#secretStore.delete(keyOf(id))
    await this.#document.update((current) => ({
      ...current,
      endpoints: current.endpoints.filter((endpoint) => endpoint.id !== id),
    }))
  }

  /** An endpoint with its key, or undefined if there is none of that id. */
  async open(id: string): Promise<OpenEndpoint | undefined> {
    const { endpoints } = await this.#document.read()
    const endpoint = endpoints.find((each) => each.id === id)
    return endpoint === undefined ? undefined : { endpoint, key: await this.#secretStore.get(keyOf(id)) }
  }

  /** @throws HostError `NOT_FOUND` */
  async known(id: string): Promise<OpenEndpoint> {
    const open = await this.open(id)
    if (open !== undefined) return open
    throw new HostError('NOT_FOUND', 'There is no such model endpoint any more.')
  }

  async approvalOf(file: string, now: ApprovedScript): Promise<ScriptApproval> {
    const { scripts } = await this.#document.read()
    return compareApproval(Object.hasOwn(scripts, file) ? scripts[file] : undefined, now)
  }

  async approve(file: string, { hash, files }: ApprovedScript): Promise<void> {
    await this.#document.update((current) => ({
      ...current,
      scripts: { ...current.scripts, [file]: { hash, files: { ...files }, at: Date.now() } },
    }))
  }

  async #shown(endpoint: ModelEndpoint): Promise<EndpointView> {
    return { endpoint, hasKey: (await this.#secretStore.get(keyOf(endpoint.id))) !== undefined }
  }
}

function ownOf(servers: ResponderDocument['servers'], key: string): ResponderSettings | undefined {
  return Object.hasOwn(servers, key) ? servers[key] : undefined
}

function keyOf(endpointId: string): string {
  return `model-endpoint/${endpointId}`
}
