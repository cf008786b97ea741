import type { Configuration } from 'openid-client'
import type { ProviderCalls } from './provider-calls.ts'

/** Milliseconds after which the provider's metadata is read anew. */
const METADATA_TIME = 3_600_000
/** Seconds that the provider has for each answer. */
const TIMEOUT = 10

/** The identity provider, which this server is registered at. */
export interface ProviderConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What the provider says of itself (OpenID Connect Discovery 1.0), read when it is needed. */
export class ProviderMetadata {
  readonly #config: ProviderConfig
  readonly #calls: ProviderCalls
  readonly #clock: () => number
  #metadata: { readonly until: number; readonly loaded: Promise<Configuration> } | undefined

  /** `clock`: Unix milliseconds. */
  constructor(config: ProviderConfig, calls: ProviderCalls, clock: () => number) {
    this.#config = config
    this.#calls = calls
    this.#clock = clock
  }

  /** Returns the client of the provider. Rejects when its metadata cannot be read; it is left alone for a while then. */
  async configuration(): Promise<Configuration> {
    const now = this.#clock()
    if (this.#metadata === undefined || this.#metadata.until <= now) {
      const loaded = this.#discover()
      this.#metadata = { until: now + METADATA_TIME, loaded }
      loaded.catch(() => {
        this.#metadata = undefined
        this.#calls.failed()
      })
    }
    return await this.#metadata.loaded
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.#config
    const server = new URL(issuer)
    // Plain HTTP is for a provider on this computer.
    const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : []
    const call = (url: string, init: object) => this.#calls.fetch(url, init)
    const options = { execute, timeout: TIMEOUT, [client.customFetch]: call }
    return await client.discovery(server, clientId, clientSecret, undefined, options)
  }
}
