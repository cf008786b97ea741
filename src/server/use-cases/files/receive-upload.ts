import { includesRole, type Role } from '../../../shared/access/role.ts'
import type { PiecePlace, UploadProgress } from '../../../shared/console/uploads.ts'
import type { ListedUpload, OpenUpload, UploadsAnswer } from '../../../shared/files/hosted-file.ts'
import { invalid, Refusal } from '../../catalog/errors.ts'
import type { KeyRecord } from '../../catalog/records.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { type NewUpload, newUploadId, type Upload } from '../../hosting/uploads/uploads.ts'
import type { People } from '../../people/people.ts'
import { roleIn } from '../access.ts'
import { revokeKey } from '../manage/manage-keys.ts'
import { type Principal, personOfAccount, whoIs } from '../principal.ts'
import { keyOfOwner } from './file-uses.ts'
import {
  finishUpload,
  type HostingParts,
  required,
  requireRoleSomewhere,
  uploadFiles,
} from './host-files.ts'

/** Begins an upload. Throws as `uploadFiles` does, and `hosting_full` and `too_many_uploads`. */
export async function beginUpload(
  parts: HostingParts,
  principal: Principal,
  upload: NewUpload,
): Promise<OpenUpload> {
  const { hosting, owner } = uploadFiles(parts, principal)
  const { id, offset, size } = await hosting.incoming.create(newUploadId(), owner, upload)
  return { id, offset, size }
}

/**
 * Appends a piece to an upload of the principal, and makes a file of it when it is complete. Throws as `uploadFiles`,
 * `Uploads.append` and `finishUpload` do, `unknown_file_upload`, `upload_busy` for any other offset than the one that
 * the upload has, and `invalid` for more bytes than the file has.
 */
export async function appendPiece(
  parts: HostingParts,
  principal: Principal,
  { id, offset }: PiecePlace,
  piece: AsyncIterable<Uint8Array>,
): Promise<UploadProgress> {
  const { hosting, owner } = uploadFiles(parts, principal)
  const { incoming } = hosting
  const upload = await incoming.find(id)
  if (upload?.owner !== owner) throw new Refusal({ code: 'unknown_file_upload' })
  if (upload.offset !== offset) throw new Refusal({ code: 'upload_busy' })
  const arrived = await incoming.append(id, offset, within(piece, upload.size - offset))
  if (arrived < upload.size) return { offset: arrived, file: null }
  return { offset: arrived, file: await finishUpload(parts, principal, id) }
}

async function* within(piece: AsyncIterable<Uint8Array>, left: number): AsyncGenerator<Uint8Array> {
  let rest = left
  for await (const chunk of piece) {
    rest -= chunk.length
    if (rest < 0) throw invalid({ path: ['content'], reason: 'must not be longer than the file' })
    yield chunk
  }
}

interface ListingParts extends HostingParts {
  readonly people: Pick<People, 'list'>
}

/** Lists the unfinished uploads of the principal, and to viewers those of keys of their apps. Throws `hosting_off` and `forbidden`. */
export async function listUploads(
  { catalog, hosting, people }: ListingParts,
  principal: Principal,
): Promise<UploadsAnswer> {
  requireRoleSomewhere(principal, 'viewer')
  const { incoming } = required(hosting)
  const snapshot = await catalog.refresh()
  const uploads = (await incoming.list()).filter((each) =>
    covers(snapshot, principal, each, 'viewer'),
  )
  const persons = new Map(people.list().map(({ id, name }) => [personOfAccount(id), name]))
  return {
    uploads: uploads
      .toSorted((a, b) => a.touchedAt - b.touchedAt)
      .map(({ id, name, owner, offset, size, touchedAt }): ListedUpload => {
        const key = keyOfOwner(snapshot, owner)
        const local = owner.startsWith('account:') ? null : owner.slice(owner.indexOf(':') + 1)
        const by = key === null ? (persons.get(owner) ?? local) : (key?.name ?? null)
        return { id, offset, size, name, by, progressAt: new Date(touchedAt).toISOString() }
      }),
  }
}

/** Deletes an unfinished upload, also of those that a release manager's list has. Throws as `uploadFiles`, and `unknown_file_upload`. */
export async function deleteUpload(
  parts: HostingParts,
  principal: Principal,
  { id }: Pick<Upload, 'id'>,
): Promise<void> {
  const { incoming } = uploadFiles(parts, principal).hosting
  const snapshot = await parts.catalog.refresh()
  const upload = (await incoming.list()).find((each) => each.id === id)
  if (upload === undefined || !covers(snapshot, principal, upload, 'release_manager')) {
    throw new Refusal({ code: 'unknown_file_upload' })
  }
  await incoming.remove(id)
}

/** Revokes a key as `revokeKey` does, and deletes its uploads. What fails of that is tried again within the hour. */
export async function revokeUploadingKey(
  parts: HostingParts,
  principal: Principal,
  prefix: string,
): Promise<KeyRecord> {
  const key = await revokeKey(parts, principal, prefix)
  await parts.hosting?.incoming.dropRevoked().catch(parts.hosting.onFailure)
  return key
}

function covers(snapshot: Snapshot, principal: Principal, { owner }: Upload, needs: Role): boolean {
  if (owner === whoIs(principal)) return true
  // A key that leaked must not end what others upload.
  if (principal.keyId !== undefined) return false
  const key = keyOfOwner(snapshot, owner)
  const { access } = principal
  const isOfApp = key !== null && key !== undefined && key.appKey !== null
  return includesRole(isOfApp ? roleIn(access, key.appKey) : access.server, needs)
}
