import type { ServerConfig } from '../config.ts'
import { DownloadSlots } from '../hosting/download-slots.ts'
import { Hosting } from '../hosting/hosting.ts'
import { whileLeading } from '../runtime/cluster/leadership.ts'
import { Bandwidth } from '../runtime/limits/bandwidth.ts'
import { lockKeptFiles, prepareKeptFiles } from '../storage/open-storage.ts'
import { fileUses, sharesOf } from '../use-cases/files/file-uses.ts'
import { wantedPatches } from '../use-cases/files/wanted-patches.ts'
import type { Wiring } from './running-server.ts'

const KIB = 1_024
const MIB = 1_024 ** 2
const GIB = 1_024 ** 3
/** Milliseconds for which a download waits for its turn: less than any client waits for an answer. */
const PATIENCE = 20_000

export type HostingParts = Omit<Wiring, 'hosting'>

type HostingConfig = NonNullable<ServerConfig['hosting']>

/** The files that the server keeps, and how much of them goes out at the same time. */
export interface HostingPart {
  readonly files: Hosting
  readonly slots: DownloadSlots
  readonly bandwidth: Bandwidth
}

/** Opens the folder or bucket for stored files and deletes what nothing names. Throws `StorageError` for an unusable folder. */
export async function openHosting(
  parts: HostingParts,
  config: HostingConfig,
): Promise<HostingPart> {
  const { storage, catalog, log, closing, clock, reserve, disk, failed } = parts
  const { folder, bucket, publicUrl, quotaGiB, patchSpaceMiB, storeWithin } = config
  const { downloads, networkDownloads, rate, clientRate } = config
  const { hosting: shared } = storage
  if (shared === undefined) {
    const release = lockKeptFiles(folder)
    closing.add(async () => release())
  } else {
    prepareKeptFiles(folder)
  }
  const files = await Hosting.open({
    ...{ folder, bucket, publicUrl, storeWithin, clock, quotaBytes: quotaGiB * GIB },
    ...{ minFreeBytes: reserve, mapWithin: PATIENCE },
    shared,
    facts: storage.leaderFacts,
    record: (entry) => catalog.change((tx) => tx.appendAudit(entry)),
    freeBytes: disk?.freeBytes,
    shares: async () => sharesOf(await catalog.refresh()),
    onDropped: ({ id, name, owner, offset }) => {
      log.warn({ id, name, owner, offset }, 'upload deleted: key revoked, or others need its space')
    },
    whileNobodyNames: (work) => catalog.store.transact(work),
    named: async () => new Set((await fileUses(catalog)).keys()),
    onDeleted: ({ name, sha512, size }) => {
      log.info({ name, sha512, size }, 'file deleted that no release names')
    },
    onLost: ({ name, sha512 }) => log.error({ name, sha512 }, 'stored file lost'),
    onFailure: failed('could not delete files that no release names'),
    onMapRefused: (name, file) =>
      log.warn({ name, file: file.name }, 'an uploaded block map is not of its file'),
    onMakingFailure: failed('could not make a block map or a patch'),
    patching: {
      maxBytes: patchSpaceMiB * MIB,
      catalog: () => catalog.snapshot,
      wanted: (stored) => wantedPatches(catalog.snapshot, stored),
    },
    onBucketFailure: failed('could not use the bucket for stored files'),
  })
  closing.add(() => files.stop())
  catalog.guardArtifacts((artifacts) => files.requireStored(artifacts))
  closing.add(whileLeading(storage.leadership('hosting'), [files.collection.job]))
  return {
    files,
    slots: new DownloadSlots({
      total: downloads,
      perNetwork: networkDownloads,
      patience: PATIENCE,
    }),
    bandwidth: new Bandwidth({ total: rate * KIB, perClient: clientRate * KIB }),
  }
}
