import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload as TusUpload } from '@tus/server'
import { Refusal } from '../../catalog/errors.ts'
import { NewUpload } from '../../hosting/upload-info.ts'
import { UPLOAD_LIFE, type Uploads } from '../../hosting/uploads.ts'
import { parseInput } from '../answer/errors.ts'
import { TUS_EXTENSIONS } from './tus-protocol.ts'

/** Member of the metadata that says who uploads. Set here, whatever the uploader sends. */
export const OWNER = 'tidegate-owner'

/**
 * Uploads as the library of the protocol reads and writes them. It has no store of its own that hashes what arrives and
 * writes it to disk before that is acknowledged.
 */
export class TusStore extends DataStore {
  readonly #incoming: Uploads

  constructor(incoming: Uploads) {
    super()
    this.#incoming = incoming
    this.extensions = [...TUS_EXTENSIONS]
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    const { id, size, metadata = {} } = upload
    const { filename: name, sha512 = null, [OWNER]: owner } = metadata
    if (typeof owner !== 'string') throw new Refusal({ code: 'unknown_file_upload' })
    await this.#incoming.create(id, owner, parseInput(NewUpload, { name, size, sha512 }))
    return upload
  }

  override async write(content: Readable, id: string, offset: number): Promise<number> {
    return await this.#incoming.append(id, offset, content)
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const upload = await this.#incoming.find(id)
    if (upload === undefined) throw ERRORS.FILE_NOT_FOUND
    const { size, offset, name, sha512, touchedAt } = upload
    return new TusUpload({
      ...{ id, size, offset },
      metadata: { filename: name, ...(sha512 === null ? {} : { sha512 }) },
      // Uploads expire a while after the last byte, not after the first.
      creation_date: new Date(touchedAt).toISOString(),
    })
  }

  override getExpiration(): number {
    return UPLOAD_LIFE
  }
}
