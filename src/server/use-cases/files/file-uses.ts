import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import type { FileUse } from '../../../shared/files/hosted-file.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { CatalogChannel, Snapshot } from '../../catalog/snapshot.ts'
import type { ShareOf } from '../../hosting/uploads/uploads.ts'

/** Drafts that are read at once. */
const PAGE = 100
/** Open change requests, of which each channel can have a few. */
const MAX_REQUESTS = 100_000

/** What names a stored file, by its SHA-512 in lower-case hex. */
export type FileUses = ReadonlyMap<string, readonly FileUse[]>

/**
 * Returns everything that names a file, as the database has it now, whatever the URL: releases of any status, drafts, and
 * releases that wait for approval. Complete, or it throws: what is not in it is deleted.
 */
export async function fileUses(catalog: Catalog): Promise<FileUses> {
  const snapshot = await catalog.refresh()
  const uses = new Map<string, FileUse[]>()
  const add = (use: FileUse, artifacts: readonly Pick<Artifact, 'sha512'>[]) => {
    for (const { sha512 } of artifacts) {
      const hash = sha512InHex(sha512)
      uses.set(hash, [...(uses.get(hash) ?? []), use])
    }
  }
  for (const { app, record, compiled } of snapshot.channelByKey.values()) {
    for (const { facts } of compiled.releases) {
      const place = { app: app.ref, channel: record.name, version: facts.version }
      add({ by: 'release', ...place }, facts.artifacts)
    }
  }
  for (const { channelKey, version, artifacts } of await allDrafts(catalog, snapshot)) {
    const { app, record } = channelOf(snapshot, channelKey)
    add({ by: 'draft', app: app.ref, channel: record.name, version }, artifacts)
  }
  for (const { channelKey, version, change } of await openRequests(catalog, snapshot)) {
    if (change.kind !== 'publish') continue
    const { app, record } = channelOf(snapshot, channelKey)
    const place = { app: app.ref, channel: record.name, version }
    add({ by: 'change_request', ...place }, change.artifacts)
  }
  return uses
}

async function allDrafts(catalog: Catalog, { channelByKey }: Snapshot) {
  const query = { channelKeys: [...channelByKey.keys()], limit: PAGE }
  const at = catalog.timestamp()
  const found = []
  for (;;) {
    const { drafts, total } = await catalog.store.drafts({ ...query, at, offset: found.length })
    found.push(...drafts)
    if (drafts.length === 0 || found.length >= total) return found
  }
}

async function openRequests({ store }: Catalog, { apps }: Snapshot) {
  const appKeys = apps.map(({ record }) => record.key)
  const query = { appKeys, state: 'open', limit: MAX_REQUESTS } as const
  const open = await store.changeRequests(query)
  if (open.length === MAX_REQUESTS) throw new Error('there are too many change requests to read')
  const found = []
  for (const { id } of open.filter(({ change }) => change.kind === 'publish')) {
    const request = await store.changeRequest(id)
    if (request !== undefined) found.push(request)
  }
  return found
}

function channelOf({ channelByKey }: Snapshot, key: number): CatalogChannel {
  const channel = channelByKey.get(key)
  if (channel === undefined) throw new Error(`channel ${key} is not in the catalog`)
  return channel
}

const KEY = /^key:(.+)$/

/** Returns the key that `owner` is: null if it is none, undefined for one that is revoked or removed. */
export function keyOfOwner({ apiKeys }: Pick<Snapshot, 'apiKeys'>, owner: string) {
  const id = KEY.exec(owner)?.[1]
  if (id === undefined) return null
  return apiKeys.find((key) => String(key.id) === id && key.revokedAt === null)
}

/** Returns how uploads share the space: the keys of an app have one share, everyone else has one of their own. */
export function sharesOf(snapshot: Pick<Snapshot, 'apiKeys'>): ShareOf {
  return (owner) => {
    const key = keyOfOwner(snapshot, owner)
    if (key === undefined) return undefined
    return key === null || key.appKey === null ? owner : `app:${key.appKey}`
  }
}
