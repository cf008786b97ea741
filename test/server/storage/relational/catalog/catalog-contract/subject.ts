import { randomUUID } from 'node:crypto'
import type {
  AppRecord,
  ChannelRecord,
  ReleaseRecord,
} from '../../../../../../src/server/catalog/records.ts'
import type {
  CatalogStore,
  NewKey,
  NewRelease,
} from '../../../../../../src/server/catalog/store.ts'
import { DEFAULT_POLICY } from '../../../../../../src/shared/releases/channel.ts'
import type { Artifact } from '../../../../../../src/shared/releases/release.ts'
import { EVERY_DEVICE } from '../../../../../../src/shared/releases/targets.ts'

/** One catalog, seen through two stores that share nothing else. */
export interface CatalogUnderTest {
  readonly store: CatalogStore
  readonly other: CatalogStore
  readonly close: () => void | Promise<void>
}

/** When everything of the contract was made. */
export const AT = '2026-03-14T09:26:53.589Z'

interface Begun {
  readonly under: CatalogUnderTest
  readonly app: AppRecord
  readonly stable: ChannelRecord
  readonly beta: ChannelRecord
}

/** What the contract writes to: for every test a catalog of its own with an app and two channels. */
export class CatalogSubject {
  /** Makes another catalog, which whoever asked for it closes. */
  readonly make: () => Promise<CatalogUnderTest>
  #begun: Begun | undefined

  constructor(make: () => Promise<CatalogUnderTest>) {
    this.make = make
  }

  async begin(): Promise<void> {
    const under = await this.make()
    this.#begun = await under.store.transact(async (tx) => {
      const app = await tx.insertApp(newApp('editor'))
      const stable = await tx.insertChannel(newChannel(app, 'stable'))
      const beta = await tx.insertChannel(newChannel(app, 'beta'))
      return { under, app, stable, beta }
    })
  }

  async end(): Promise<void> {
    await this.#now.under.close()
  }

  get store(): CatalogStore {
    return this.#now.under.store
  }

  /** The store that another process would have. */
  get other(): CatalogStore {
    return this.#now.under.other
  }

  /** The app `editor`. */
  get app(): AppRecord {
    return this.#now.app
  }

  /** Channels of `app`. */
  get stable(): ChannelRecord {
    return this.#now.stable
  }

  get beta(): ChannelRecord {
    return this.#now.beta
  }

  publish(release: Partial<NewRelease> = {}): Promise<ReleaseRecord> {
    return this.store.transact((tx) => tx.insertRelease(newRelease(this.stable, release)))
  }

  /** Every release of a channel, as a store has it, in no particular order. */
  async releasesOf({ key }: ChannelRecord, store = this.store): Promise<ReleaseRecord[]> {
    const changes = await store.changesSince(0)
    return changes?.releases.filter(({ channelKey }) => channelKey === key) ?? []
  }

  async revisions(): Promise<{ catalog: number; stable: number; beta: number }> {
    return {
      catalog: await this.store.revision(),
      stable: await channelRevision(this.store, this.stable),
      beta: await channelRevision(this.store, this.beta),
    }
  }

  get #now(): Begun {
    if (this.#begun === undefined) throw new Error('no test has begun')
    return this.#begun
  }
}

export async function channelRevision(
  store: CatalogStore,
  { key }: ChannelRecord,
): Promise<number> {
  const channel = (await store.channels()).find((candidate) => candidate.key === key)
  return channel?.revision ?? Number.NaN
}

export function newApp(ref: string, name = ref) {
  return { id: randomUUID(), ref, name, createdAt: AT }
}

export function newChannel(app: AppRecord, name: string) {
  return { appKey: app.key, name, policy: DEFAULT_POLICY, createdAt: AT }
}

let releases = 0

export function newRelease(channel: ChannelRecord, parts: Partial<NewRelease> = {}): NewRelease {
  releases += 1
  return {
    id: randomUUID(),
    appKey: channel.appKey,
    channelKey: channel.key,
    version: `0.0.${releases}`,
    notes: '',
    status: 'published',
    awaitsProof: false,
    rolloutPct: 100,
    targets: EVERY_DEVICE,
    createdAt: AT,
    artifacts: [],
    ...parts,
  }
}

export function artifact(parts: Partial<Artifact> = {}): Artifact {
  const url = 'https://files.example/editor'
  const devices = { platform: 'darwin', arch: 'arm64', kind: '' }
  return { ...devices, url, sha512: 'ab', size: 0, signature: '', ...parts }
}

export function newKey(parts: Partial<NewKey> = {}): NewKey {
  const hash = randomUUID()
  return {
    prefix: 'tg_abcde',
    hash,
    name: 'CI',
    scopes: ['read'],
    appKey: null,
    bypassApproval: false,
    createdAt: AT,
    ...parts,
  }
}

export function auditEntry(change: { before: unknown; after: unknown }) {
  return {
    at: AT,
    actor: { kind: 'console', name: 'mia' } as const,
    action: 'release.published',
    app: 'editor',
    channel: null,
    version: null,
    ...change,
  }
}

/** Publishes 1.0.0 on the first channel of the first app of a catalog. */
export async function publishOne(store: CatalogStore, rolloutPct = 0): Promise<ReleaseRecord> {
  return await store.transact(async (tx) => {
    const app = await tx.insertApp(newApp('editor'))
    const channel = await tx.insertChannel(newChannel(app, 'stable'))
    const artifacts = [artifact({ url: 'https://files.example/editor' })]
    return await tx.insertRelease({
      ...{ id: 'r', appKey: app.key, channelKey: channel.key, version: '1.0.0', notes: 'n' },
      ...{ status: 'published', rolloutPct, targets: EVERY_DEVICE, createdAt: AT },
      ...{ awaitsProof: false, artifacts },
    })
  })
}
