import { includesRole, type Role } from '../../../shared/access/role.ts'
import type {
  FoundFileAnswer,
  HostedFile,
  HostedFilesAnswer,
} from '../../../shared/files/hosted-file.ts'
import { audit, auditEntry } from '../../catalog/audit-log.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { Hosting } from '../../hosting/hosting.ts'
import { requireServerRole } from '../access.ts'
import { type Principal, whoIs } from '../principal.ts'
import { fileUses } from './file-uses.ts'
import { BLOCK_MAP, isMapped } from './mapped-file.ts'

export interface HostingParts {
  readonly catalog: Catalog
  /** Null where the server keeps no files. */
  readonly hosting: Hosting | null
}

export interface Uploading {
  readonly hosting: Hosting
  /** Who goes on with an upload: no two principals share one, also where names are the same. */
  readonly owner: string
}

/** Lets a principal upload files: whoever can publish in some app. Throws `hosting_off`, and `forbidden` for everyone else. */
export function uploadFiles({ hosting }: HostingParts, principal: Principal): Uploading {
  requireRoleSomewhere(principal, 'release_manager')
  return { hosting: required(hosting), owner: whoIs(principal) }
}

/** Makes a file of a complete upload, with an entry in the audit log. Throws as `uploadFiles` and `Uploads.finish` do. */
export async function finishUpload(
  parts: HostingParts,
  principal: Principal,
  id: string,
): Promise<HostedFile> {
  const { hosting } = uploadFiles(parts, principal)
  const { catalog } = parts
  const { actor } = principal
  const file = await hosting.incoming.finish(id, ({ name, size, sha512 }) =>
    auditEntry(catalog.timestamp(), actor, 'file.uploaded', {}, null, { name, size, sha512 }),
  )
  takeBlockMap(hosting, file)
  return describe(hosting, file)
}

/** In whose turn block maps are made that are uploaded: no app has this key. */
const UPLOADED = 0

/** Reads the block map that was uploaded beside a file as long as both are there: what nothing names is deleted after a day. */
function takeBlockMap({ stored, blockMaps, onFailure }: Hosting, { name }: StoredFile): void {
  const isMap = name.endsWith(BLOCK_MAP)
  const mapped = isMap ? name.slice(0, -BLOCK_MAP.length) : name
  if (!isMapped(mapped)) return
  const files = stored.list()
  const file = files.find((each) => each.name === mapped)
  const hasMap = files.some((each) => each.name === `${mapped}${BLOCK_MAP}`)
  if (file !== undefined && hasMap) blockMaps.find(file, UPLOADED).catch(onFailure)
}

/**
 * Returns what is there of a file by its hash: the file itself, which is then kept for another day without a release, or
 * the upload that the principal has begun, which may be complete and on its way to a bucket. Throws as `finishUpload` does.
 */
export async function findFile(
  parts: HostingParts,
  principal: Principal,
  { sha512 }: Pick<StoredFile, 'sha512'>,
): Promise<FoundFileAnswer> {
  const { hosting, owner } = uploadFiles(parts, principal)
  const stored = await hosting.stored.keepIfIntact(sha512)
  if (stored !== undefined) return { file: describe(hosting, stored), upload: null }
  const uploads = await hosting.incoming.list()
  const begun = uploads.find((upload) => upload.owner === owner && upload.sha512 === sha512)
  if (begun === undefined) return { file: null, upload: null }
  const { id, offset, size } = begun
  const unfinished = { file: null, upload: { id, offset, size } }
  if (offset < size) return unfinished
  try {
    return { file: await finishUpload(parts, principal, id), upload: null }
  } catch (error) {
    if (error instanceof Refusal && error.facts.code === 'file_being_stored') return unfinished
    throw error
  }
}

/** Lists all files, with how often each is named. Needs the role `viewer` on the server. Throws `forbidden` and `bucket_unavailable`. */
export async function listFiles(
  { catalog, hosting }: HostingParts,
  { access }: Principal,
): Promise<HostedFilesAnswer> {
  requireServerRole(access, 'viewer')
  const { stored, space, collection, patches } = required(hosting)
  await stored.ready()
  await stored.refresh()
  const { lastAt, failure } = await collection.state()
  const uses = await fileUses(catalog)
  const files = stored.list().map((file) => ({
    ...describe(required(hosting), file),
    uses: uses.get(file.sha512)?.length ?? 0,
  }))
  return {
    files,
    ...{ bytes: stored.bytes, patchBytes: patches.bytes, quotaBytes: space.quotaBytes },
    collectedAt: lastAt === null ? null : new Date(lastAt).toISOString(),
    collectionFailed: failure !== null,
  }
}

/** Deletes an unnamed file. Needs the server role `release_manager`. Throws `forbidden`, `unknown_file`, `file_in_use` and as `listFiles`. */
export async function deleteFile(
  { catalog, hosting }: HostingParts,
  { access, actor }: Principal,
  { sha512 }: Pick<StoredFile, 'sha512'>,
): Promise<HostedFile> {
  requireServerRole(access, 'release_manager')
  const { stored, blockMaps } = required(hosting)
  await stored.ready()
  await stored.refresh()
  const file = stored.find(sha512)
  if (file === undefined) throw new Refusal({ code: 'unknown_file', file: sha512 })
  const { name, size } = file
  // In the transaction, so that nobody publishes the file in between.
  await catalog.change(async (tx, at) => {
    const [use] = (await fileUses(catalog)).get(file.sha512) ?? []
    if (use !== undefined) throw new Refusal({ code: 'file_in_use', name, use })
    await audit(tx, at, actor, 'file.deleted', {}, { name, size, sha512: file.sha512 }, null)
    let found: StoredFile | undefined = file
    while (found !== undefined && !(await stored.remove(found))) found = stored.find(file.sha512)
  })
  await stored.deleteRemoved()
  await blockMaps.remove(file)
  return describe(required(hosting), file)
}

function describe(hosting: Hosting, file: StoredFile): HostedFile {
  const { sha512, name, size, storedAt } = file
  const url = hosting.urlOf(file)
  return { sha512, name, size, url, storedAt: new Date(storedAt).toISOString() }
}

/** Throws `forbidden` for whoever has the role neither in an app nor on the server. */
export function requireRoleSomewhere({ access: { server, apps } }: Principal, needs: Role): void {
  const roles = [server, ...apps.values()]
  if (roles.some((role) => includesRole(role, needs))) return
  throw new Refusal({ code: 'forbidden', needs, app: null })
}

/** Returns the stored files. Throws `hosting_off` where the server keeps none. */
export function required(hosting: Hosting | null): Hosting {
  if (hosting === null) throw new Refusal({ code: 'hosting_off' })
  return hosting
}
